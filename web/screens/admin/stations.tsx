import { useState } from 'react'
import { prefix } from '../../api/prefix.ts'
import type { components } from '../../api/schema.js'
import { Ago } from '../../parts/ago.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

type Station = components['schemas']['admin_sensors']
type Asked = { readonly act: 'edit' | 'token' | 'revoke'; readonly station: Station }

/** The stations with their keys; a far one is connected with one command. */
export function AdminStations() {
  const words = useWords(adminWords)
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [issued, setIssued] = useState<{ readonly name: string; readonly token: string } | null>(null)
  return (
    <section className="card">
      <header>
        <h2>{words.stations}</h2>
        <button type="button" className="button small" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {words.addStation}
        </button>
      </header>
      {issued === null ? null : <Command {...issued} done={() => setIssued(null)} />}
      <Listing<Station> path="/admin/sensors?sort=name" what={words.stations} empty={words.noStations} canSearch>
        {(rows) => (
          <ul className="items">
            {rows.map((station) => (
              <Row key={station.id} station={station} ask={(act) => setAsked({ act, station })} />
            ))}
          </ul>
        )}
      </Listing>
      {isAdding ? <StationForm station={null} closed={() => setAdding(false)} /> : null}
      {asked?.act === 'edit' ? <StationForm station={asked.station} closed={() => setAsked(null)} /> : null}
      {asked === null || asked.act === 'edit' ? null : (
        <FormDialog
          title={(asked.act === 'token' ? words.tokenTitle : words.revokeTitle)(asked.station.name)}
          action={asked.act === 'token' ? words.issue : words.revoke}
          isDangerous={asked.act === 'revoke'}
          request={() => ({
            method: asked.act === 'token' ? 'POST' : 'DELETE',
            path: `/admin/sensors/${asked.station.id}/token`,
          })}
          done={(answer) => {
            if (asked.act !== 'token') return
            setIssued({ name: asked.station.name, token: (answer as { readonly token: string }).token })
          }}
          closed={() => setAsked(null)}
        >
          <p>{asked.act === 'token' ? words.tokenText : words.revokeText}</p>
        </FormDialog>
      )}
    </section>
  )
}

function Row({ station, ask }: { readonly station: Station; readonly ask: (act: Asked['act']) => void }) {
  const words = useWords(adminWords)
  const { name, city, country, version, ip_address, is_available, last_seen_at, has_token } = station
  return (
    <li>
      <span className="what">
        <b>{name}</b>
        <span className="dim">{[city, country, ip_address, version].filter(Boolean).join(' · ')}</span>
        <span className={is_available ? 'badge good' : 'badge bad'}>
          <Icon name={is_available ? 'ok' : 'failure'} />
          {is_available ? words.connected : words.lost}
          {is_available ? null : last_seen_at === null ? (
            `, ${words.never}`
          ) : (
            <>
              , {words.seen} <Ago moment={last_seen_at} />
            </>
          )}
        </span>
      </span>
      <span className="row">
        <button type="button" className="button small" onClick={() => ask('edit')}>
          {words.edit}
        </button>
        <button type="button" className="button small" onClick={() => ask('token')}>
          {words.newToken}
        </button>
        {has_token ? (
          <button type="button" className="button small danger" onClick={() => ask('revoke')}>
            {words.revoke}
          </button>
        ) : null}
      </span>
    </li>
  )
}

function StationForm({ station, closed }: { readonly station: Station | null; readonly closed: () => void }) {
  const words = useWords(adminWords)
  const [draft, setDraft] = useState({
    name: station?.name ?? '',
    city: station?.city ?? '',
    country: station?.country ?? '',
  })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  return (
    <FormDialog
      title={station === null ? words.addStation : words.editTitle(station.name)}
      action={station === null ? words.add : words.save}
      request={() =>
        station === null
          ? { method: 'POST', path: '/admin/sensors', body: draft }
          : { method: 'PUT', path: `/admin/sensors/${station.id}`, body: draft }
      }
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} set={(name) => set({ name })} />
      <TextField label={words.city} name="city" value={draft.city} set={(city) => set({ city })} />
      <TextField label={words.country} name="country" value={draft.country} set={(country) => set({ country })} />
    </FormDialog>
  )
}

interface CommandProps {
  readonly name: string
  readonly token: string
  readonly done: () => void
}

/** What to run at the far machine, with the token that is shown this once. */
function Command({ name, token, done }: CommandProps) {
  const words = useWords(adminWords)
  const [said, setSaid] = useState('')
  const text = `SENSOR_TOKEN=${token} npx latarnik sensor --server ${location.origin}${prefix}`
  return (
    <div className="inside stack" role="status">
      <p>{words.commandText(name)}</p>
      <textarea className="command" readOnly rows={3} aria-label={words.command} value={text} />
      <div className="row">
        <button
          type="button"
          className="button"
          onClick={() => {
            const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
            copied.then(
              () => setSaid(words.copied),
              () => setSaid(words.copyFailed),
            )
          }}
        >
          <Icon name="copy" />
          {words.copy}
        </button>
        <button type="button" className="button" onClick={done}>
          {words.kept}
        </button>
        <span className="hint">{said}</span>
      </div>
    </div>
  )
}
