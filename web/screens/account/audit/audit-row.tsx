import { Link } from 'wouter'
import { useListAddress } from '../../../parts/listing.tsx'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import { auditWords } from './audit-words.ts'
import type { Change, Values } from './change.ts'
import type { Names } from './object-names.ts'
import { labelOf, sentenceOf } from './sentence.ts'
import { sentenceWords } from './sentence-words.ts'

interface RowProps {
  readonly change: Change
  readonly names: Names
}

/** A record: its sentence, where it came from, and its values on demand. */
export function AuditRow({ change, names }: RowProps) {
  const words = useWords(auditWords)
  const format = useFormat()
  const { search, show } = useListAddress()
  const { time, operation, resource, object_id: object, source, ip_address: address } = change
  const sentence = sentenceOf(change, { words: useWords(sentenceWords), format, nameOf: names.nameOf })
  const isFiltered = search.get('resource') === resource && search.get('object_id') === object
  return (
    <li>
      <div className="what">
        <p className="sentence">
          <b>{sentence.who}</b>
          {sentence.before}
          {sentence.noun}
          {sentence.noun !== '' && sentence.name !== null ? ' ' : ''}
          <ObjectName name={sentence.name} href={object === null ? null : names.linkOf(resource, object)} />
          {sentence.after}
        </p>
        <span className="dim">
          <time dateTime={time}>{format.moment(time)}</time> · {words.sources[source]}
          {address === '' ? '' : ` · ${address}`}
        </span>
        <Details {...change} />
      </div>
      {object === null || isFiltered ? null : (
        <button
          type="button"
          className="button small"
          aria-label={words.historyOf(sentence.name ?? operation)}
          onClick={() => show({ resource, object_id: object, offset: null })}
        >
          {words.history}
        </button>
      )}
    </li>
  )
}

function ObjectName({ name, href }: { readonly name: string | null; readonly href: string | null }) {
  if (name === null) return null
  return href === null ? <i>{name}</i> : <Link href={href}>{name}</Link>
}

const text = (value: unknown) =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

function Details({ operation, before, after }: Pick<Change, 'operation' | 'before' | 'after'>) {
  const words = useWords(auditWords)
  const texts = useWords(sentenceWords)
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <details>
      <summary>
        {words.details}:{' '}
        {names
          .slice(0, 4)
          .map((name) => labelOf(name, { words: texts }))
          .join(', ')}
        {names.length > 4 ? '…' : ''}
      </summary>
      <p className="dim">
        {words.operation}: <code>{operation}</code>
      </p>
      <Table names={names} before={before} after={after} />
    </details>
  )
}

interface TableProps {
  readonly names: readonly string[]
  readonly before: Values | null
  readonly after: Values | null
}

function Table({ names, before, after }: TableProps) {
  const words = useWords(auditWords)
  const texts = useWords(sentenceWords)
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
            <th scope="row">
              {labelOf(name, { words: texts })} <code className="dim">{name}</code>
            </th>
            {before === null ? null : <td className="was">{text(before[name])}</td>}
            {after === null ? null : <td className="is">{text(after[name])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
