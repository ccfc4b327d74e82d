import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { read, readPage } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import { packageWords } from '../../parts/package-words.ts'
import { useNames } from '../../parts/terms.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { TypeLimits } from '../../parts/type-limits.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

async function readUse(signal: AbortSignal) {
  const [limits, stats, numbers] = await Promise.all([
    read('/packages/my_package', signal),
    read('/accounts/my_account/stats', signal),
    readPage('/notification_addresses?notification_channel_id=sms&limit=0', signal),
  ])
  return { limits, stats, numbers: numbers.total }
}

/** The use of the package's limits. */
export function PackageUse() {
  const words = useWords(packageWords)
  const format = useFormat()
  const channelName = useNames('notification_channels')
  const { data, error, refetch } = useQuery({
    queryKey: ['package use'],
    queryFn: ({ signal }) => readUse(signal),
  })
  if (data === undefined) {
    return error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />
  }
  const { limits, stats, numbers } = data
  const limit = (value: number | null) => (value === null ? words.unlimited : format.number(value))
  return (
    <section className="card">
      <header>
        <h2>{words.title(limits.name)}</h2>
      </header>
      <div className="inside stack">
        <Use name={words.services} used={stats.services.own} limit={limits.maximum_services} />
        <Use name={words.sms} used={numbers} limit={limits.maximum_sms_numbers} />
        <dl className="facts">
          <dt>{words.groups}</dt>
          <dd>{format.number(stats.groups.own)}</dd>
          <dt>{words.interval}</dt>
          <dd>{format.duration(limits.minimum_interval)}</dd>
          <dt>{words.sensors}</dt>
          <dd>{limit(limits.maximum_sensors)}</dd>
          <dt>{words.reports}</dt>
          <dd>{limit(limits.monthly_reports_limit)}</dd>
          <dt>{words.channels}</dt>
          <dd>{limits.available_notification_channel_ids.map(channelName).join(', ')}</dd>
        </dl>
        <h3>{words.types}</h3>
        <TypeLimits types={limits.available_service_types} />
      </div>
    </section>
  )
}

interface UseProps {
  readonly name: string
  readonly used: number
  readonly limit: number | null
}

function Use({ name, used, limit }: UseProps) {
  const words = useWords(packageWords)
  const format = useFormat()
  const id = useId()
  return (
    <div className="use">
      <span className="spread">
        <b id={id}>{name}</b>
        <span>
          {limit === null
            ? words.noLimit(format.number(used))
            : words.ofLimit(format.number(used), format.number(limit))}
        </span>
      </span>
      {limit === null ? null : (
        <meter aria-labelledby={id} min={0} max={Math.max(limit, 1)} high={limit * 0.9} value={used}>
          {used}
        </meter>
      )}
    </div>
  )
}
