import { useState } from 'react'
import { readPage } from '../../../api/client.ts'
import { localDate } from '../../../format/zone.ts'
import { useListAddress } from '../../../parts/listing.tsx'
import { Trouble } from '../../../parts/trouble.tsx'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import { csvOf, jsonOf } from './audit-file.ts'
import { auditWords } from './audit-words.ts'
import { auditFilters, type Change } from './change.ts'

const files = {
  CSV: { type: 'text/csv', text: csvOf },
  JSON: { type: 'application/json', text: jsonOf },
} as const

const pageSize = 1000
const most = 50_000

/** Saves the filtered records as a file. */
export function AuditExport({ path }: { readonly path: string }) {
  const words = useWords(auditWords)
  const format = useFormat()
  const { search } = useListAddress()
  const [outcome, setOutcome] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  async function save(kind: keyof typeof files) {
    setBusy(true)
    setError(null)
    setOutcome(words.saving)
    try {
      const { changes, isCut } = await readAll(path, search)
      offer(files[kind].text(changes), files[kind].type, `audit-log-${localDate(Date.now(), format.zone)}.${kind}`)
      const count = format.number(changes.length)
      setOutcome(isCut ? words.cut(count) : words.saved(count))
    } catch (cause) {
      setError(cause)
      setOutcome(null)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="inside row export">
      {(Object.keys(files) as (keyof typeof files)[]).map((kind) => (
        <button key={kind} type="button" className="button small" disabled={isBusy} onClick={() => void save(kind)}>
          {words.saveAs} {kind}
        </button>
      ))}
      <span role="status" className="dim">
        {outcome}
      </span>
      {error === null ? null : <Trouble error={error} />}
    </div>
  )
}

/** Records that are added meanwhile move the pages: those that come twice are left out. */
async function readAll(path: string, search: URLSearchParams) {
  const changes: Change[] = []
  const first = await readPage<Change>(`${path}&${asked(search, 0)}`)
  changes.push(...first.rows)
  while (changes.length < Math.min(first.total, most)) {
    const { rows } = await readPage<Change>(`${path}&${asked(search, changes.length)}`)
    if (rows.length === 0) break
    changes.push(...rows)
  }
  const known = new Set<number>()
  const once = changes.filter(({ id }) => !known.has(id) && known.add(id))
  return { changes: once, isCut: first.total > most }
}

function asked(search: URLSearchParams, offset: number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(pageSize), offset: String(offset) })
  for (const name of ['query', ...auditFilters]) {
    const value = search.get(name)
    if (value) query.set(name, value)
  }
  return query
}

function offer(text: string, type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name.toLowerCase()
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
