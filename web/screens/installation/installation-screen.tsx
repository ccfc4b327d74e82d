import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { prefix } from '../../api/prefix.ts'
import { ChoiceField } from '../../parts/fields.tsx'
import { useListAddress } from '../../parts/listing.tsx'
import { Loading } from '../../parts/loading.tsx'
import { OnlyAdministrators } from '../../parts/only-administrators.tsx'
import { useNames } from '../../parts/terms.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat, useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { WatchedDirectory } from './watched-directory.tsx'
import { installationWords } from './words.ts'
import '../../parts/listing.css'

type Installation = Schemas['system_installation_output']

const windows = ['24h', '7d'] as const
const everyMs = 60_000

/** How well the installation itself works. */
export function InstallationScreen() {
  const words = useWords(installationWords)
  const { isAdministrator } = useReader()
  useEffect(() => showTitle(words.title), [words])
  return isAdministrator ? <Measured /> : <OnlyAdministrators />
}

function Measured() {
  const words = useWords(installationWords)
  const { search, show } = useListAddress()
  const window = windows.find((one) => one === search.get('window')) ?? '24h'
  const { data, error, refetch } = useQuery({
    queryKey: ['installation', window],
    queryFn: ({ signal }) => read(`/system/installation?window=${window}`, signal),
    placeholderData: (before) => before,
    refetchInterval: everyMs,
  })
  return (
    <div className="installation-screen stack">
      <div className="spread">
        <div>
          <h1>{words.title}</h1>
          <p className="dim">{words.about}</p>
        </div>
        <ChoiceField
          label={words.window}
          name="window"
          value={window}
          options={windows.map((id) => ({ id, name: words.windows[id] }))}
          set={(chosen) => show({ window: chosen === '24h' ? null : chosen })}
        />
      </div>
      {data !== undefined ? (
        <>
          <Rounds {...data} />
          <Stations stations={data.stations} />
          <Deliveries {...data} />
          <p className="hint">
            {data.accountability_page ? (
              <a href={`${prefix}/accountability`}>{words.publicPage}</a>
            ) : (
              words.noPublicPage
            )}
          </p>
          <WatchedDirectory />
        </>
      ) : error === null ? (
        <Loading what={words.title} />
      ) : (
        <Trouble error={error} again={() => void refetch()} />
      )}
    </div>
  )
}

function Rounds({ lateness, missed_rounds: missed, failures, false_alarms_corrected: corrected }: Installation) {
  const words = useWords(installationWords)
  const format = useFormat()
  const time = (value: number | null) => (value === null ? words.none : format.milliseconds(value))
  const facts = [
    [words.missedRounds, format.number(missed)],
    [words.judged, format.number(lateness.rounds)],
    [words.unjudged, format.number(lateness.unjudged_rounds)],
    [words.half, time(lateness.p50)],
    [words.most, time(lateness.p95)],
    [words.latest, time(lateness.maximum)],
  ]
  return (
    <>
      <section className="card">
        <header>
          <h2>{words.rounds}</h2>
          <span className="hint">{words.roundsText}</span>
        </header>
        <Facts facts={facts} />
      </section>
      <section className="card">
        <header>
          <h2>{words.failures}</h2>
        </header>
        <Facts
          facts={[
            [words.began, format.number(failures)],
            [words.corrected, format.number(corrected)],
          ]}
        />
      </section>
    </>
  )
}

export function Facts({ facts }: { readonly facts: readonly (readonly string[])[] }) {
  return (
    <dl className="inside facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Stations({ stations }: Pick<Installation, 'stations'>) {
  const words = useWords(installationWords)
  const format = useFormat()
  return (
    <section className="card">
      <header>
        <h2>{words.stations}</h2>
      </header>
      {stations.length === 0 ? <p className="inside">{words.noStations}</p> : null}
      <ul className="items">
        {stations.map(({ sensor_id, name, rounds, agreement, checks, unknown_checks }) => (
          <li key={sensor_id}>
            <span className="what">
              <b>{name}</b>
              <span>
                {agreement === null
                  ? words.noAgreement
                  : words.agreement(format.percent(agreement), format.number(rounds))}
              </span>
              <span className="dim">{words.missed(format.number(unknown_checks), format.number(checks))}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Deliveries({ deliveries, sms_today: sms }: Pick<Installation, 'deliveries' | 'sms_today'>) {
  const words = useWords(installationWords)
  const format = useFormat()
  const channelName = useNames('notification_channels')
  const time = (value: number | null) => (value === null ? words.none : format.milliseconds(value))
  return (
    <section className="card">
      <header>
        <h2>{words.deliveries}</h2>
        {sms === null ? null : (
          <span className="hint">{words.smsToday(format.number(sms.sent), format.number(sms.limit))}</span>
        )}
      </header>
      {sms === null || sms.kept_back === 0 ? null : (
        <div className="inside">
          <div className="notice warning" role="alert">
            {words.smsKeptBack(format.number(sms.kept_back))}
          </div>
        </div>
      )}
      {deliveries.length === 0 ? (
        <p className="inside">{words.noDeliveries}</p>
      ) : (
        <ul className="items">
          {deliveries.map((one) => (
            <li key={one.notification_channel_id}>
              <span className="what">
                <b>{channelName(one.notification_channel_id)}</b>
                <span>
                  {words.sent}: {format.number(one.sent)}, {words.failed}: {format.number(one.failed)}, {words.pending}:{' '}
                  {format.number(one.pending)}, {words.other}: {format.number(one.other)}
                </span>
                <span className="dim">
                  {words.success}:{' '}
                  {one.sent + one.failed === 0 ? words.none : format.percent(one.sent / (one.sent + one.failed))} ·{' '}
                  {words.latency}: {time(one.latency_p50)} / {time(one.latency_p95)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
