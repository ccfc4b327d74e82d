import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { prefix } from '../../api/prefix.ts'
import { BadgeCode } from '../../parts/badge/badge-code.tsx'
import { badgeWords } from '../../parts/badge/words.ts'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'

/** The picture of a service for other sites; only for those who may change the service. */
export function Badge({ service }: { readonly service: ShownService }) {
  const words = useWords(badgeWords)
  const making = useChange()
  const [isLeaving, setLeaving] = useState(false)
  const path = `/services/${service.id}/badge_token` as const
  const token = service.badge_token
  return (
    <section className="card" aria-labelledby="badge">
      <header>
        <h2 id="badge">{words.title}</h2>
        {token === null ? (
          <button
            type="button"
            className="button small"
            disabled={making.isPending}
            onClick={() => making.mutate(callTo('POST', path))}
          >
            {words.make}
          </button>
        ) : (
          <button type="button" className="button small" onClick={() => setLeaving(true)}>
            {words.off}
          </button>
        )}
      </header>
      <div className="inside stack">
        <p className="dim">{words.about}</p>
        {token === null ? null : <Chosen token={token} />}
      </div>
      {isLeaving ? (
        <FormDialog
          title={words.off}
          action={words.off}
          isDangerous
          request={() => callTo('DELETE', path)}
          closed={() => setLeaving(false)}
        >
          <p>{words.offText}</p>
        </FormDialog>
      ) : null}
    </section>
  )
}

const metrics = ['state', 'uptime', 'response_time'] as const

function Chosen({ token }: { readonly token: string }) {
  const words = useWords(badgeWords)
  const [metric, setMetric] = useState<(typeof metrics)[number]>('state')
  const [days, setDays] = useState('30')
  const isDays = /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 400
  const query = metric === 'uptime' ? `?metric=uptime&days=${isDays ? days : 30}` : `?metric=${metric}`
  return (
    <>
      <div className="moments">
        <ChoiceField
          label={words.metric}
          name="metric"
          value={metric}
          options={metrics.map((id) => ({ id, name: words.metrics[id] }))}
          set={(wanted) => setMetric(metrics.find((one) => one === wanted) ?? 'state')}
        />
        {metric === 'uptime' ? (
          <TextField label={words.days} name="days" type="number" value={days} set={setDays} />
        ) : null}
      </div>
      <BadgeCode picture={`${prefix}/badges/${token}.svg${query}`} link={null} />
    </>
  )
}
