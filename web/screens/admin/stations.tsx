import { useState } from 'react'
import { Link } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { Ago } from '../../parts/ago.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useWords } from '../../words/words.ts'
import { Command, type Station, StationForm } from './add-station.tsx'
import { adminWords } from './words.ts'

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
        <span className="row">
          <Link href="/stations" className="button small">
            <Icon name="station" />
            {words.stationsMap}
          </Link>
          <button type="button" className="button small" data-shortcut="n" onClick={() => setAdding(true)}>
            <Icon name="add" />
            {words.addStation}
          </button>
        </span>
      </header>
      {issued === null ? null : <Command {...issued} done={() => setIssued(null)} />}
      <Listing path="/admin/sensors?sort=name" what={words.stations} empty={words.noStations} canSearch>
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
      {asked?.act === 'token' ? (
        <FormDialog
          title={words.tokenTitle(asked.station.name)}
          action={words.issue}
          request={() => callTo('POST', `/admin/sensors/${asked.station.id}/token`)}
          done={({ token }) => setIssued({ name: asked.station.name, token })}
          closed={() => setAsked(null)}
        >
          <p>{words.tokenText}</p>
        </FormDialog>
      ) : null}
      {asked?.act === 'revoke' ? (
        <FormDialog
          title={words.revokeTitle(asked.station.name)}
          action={words.revoke}
          isDangerous
          request={() => callTo('DELETE', `/admin/sensors/${asked.station.id}/token`)}
          closed={() => setAsked(null)}
        >
          <p>{words.revokeText}</p>
        </FormDialog>
      ) : null}
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
