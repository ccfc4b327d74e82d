import { Listing, useListAddress } from '../../parts/listing.tsx'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { changesWords } from './changes-words.ts'

type Values = Readonly<Record<string, unknown>>

interface Change {
  readonly id: number
  readonly time: string
  readonly account_id: number | null
  readonly account: { readonly name: string; readonly username: string } | null
  readonly api_key_id: number | null
  readonly ip_address: string
  readonly source: keyof (typeof changesWords)['en']['sources']
  readonly operation: string
  readonly resource: string
  readonly object_id: string | null
  readonly before: Values | null
  readonly after: Values | null
}

const filters = ['resource', 'object_id', 'source', 'from', 'to']

/** The audit log of the account, with what differs. */
export function Changes() {
  const words = useWords(changesWords)
  const format = useFormat()
  const { account } = useReader()
  return (
    <section className="card changes" aria-labelledby="changes">
      <header>
        <h2 id="changes">{words.changes}</h2>
        <span className="dim">{format.zone}</span>
      </header>
      <p className="inside dim">{words.about}</p>
      <Filters />
      <Listing<Change>
        path={`/accounts/${account.id}/logs/audit?sort=-id&embed=account.name,account.username`}
        what={words.changes}
        empty={words.none}
        filters={filters}
        canSearch
      >
        {(rows) => (
          <ul className="items">
            {rows.map((change) => (
              <ChangeRow key={change.id} change={change} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  )
}

function Filters() {
  const words = useWords(changesWords)
  const { search, show } = useListAddress()
  const kept = (name: string) => search.get(name) ?? ''
  const set = (name: string) => (value: string) => show({ [name]: value === '' ? null : value, offset: null })
  const moment = (name: string) => ({
    value: kept(name).slice(0, 10),
    set: (day: string) => set(name)(day === '' ? '' : `${day}T00:00:00Z`),
  })
  const fields = [
    { name: 'resource', label: words.kind, type: 'text', value: kept('resource'), set: set('resource') },
    { name: 'object_id', label: words.object, type: 'text', value: kept('object_id'), set: set('object_id') },
    { name: 'from', label: words.from, type: 'date', ...moment('from') },
    { name: 'to', label: words.to, type: 'date', ...moment('to') },
  ]
  return (
    <div className="inside filters">
      {fields.map(({ name, label, type, value, set: change }) => (
        <label key={name} className="field">
          <span>{label}</span>
          <input type={type} value={value} onChange={({ target }) => change(target.value)} />
        </label>
      ))}
      <label className="field">
        <span>{words.source}</span>
        <select value={kept('source')} onChange={({ target }) => set('source')(target.value)}>
          <option value="">{words.all}</option>
          {Object.entries(words.sources).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function whoOf({ account, account_id: id, api_key_id: key }: Change, words: (typeof changesWords)['en']): string {
  const who = account?.name || account?.username || (id === null ? words.nobody : `#${id}`)
  return key === null ? who : `${who} (${words.byKey(key)})`
}

function ChangeRow({ change }: { readonly change: Change }) {
  const words = useWords(changesWords)
  const format = useFormat()
  const { time, operation, object_id: object, source, ip_address: address, before, after } = change
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <li>
      <div className="what">
        <span>
          <b>{operation}</b> {object === null ? null : <code>{object}</code>}
        </span>
        <span className="dim">
          {format.moment(time)} · {words.by(whoOf(change, words))} · {words.sources[source]} · {address}
        </span>
        {names.length === 0 ? null : (
          <details>
            <summary>
              {words.details}: {names.slice(0, 4).join(', ')}
              {names.length > 4 ? '…' : ''}
            </summary>
            <Difference names={names} before={before} after={after} />
          </details>
        )}
      </div>
    </li>
  )
}

interface DifferenceProps {
  readonly names: readonly string[]
  readonly before: Values | null
  readonly after: Values | null
}

const text = (value: unknown) =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

function Difference({ names, before, after }: DifferenceProps) {
  const words = useWords(changesWords)
  return (
    <table className="difference">
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          {before === null ? null : <th scope="col">{words.before}</th>}
          {after === null ? null : <th scope="col">{words.after}</th>}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {before === null ? null : <td className="was">{text(before[name])}</td>}
            {after === null ? null : <td className="is">{text(after[name])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
