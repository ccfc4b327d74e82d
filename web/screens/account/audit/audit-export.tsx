import { useState } from 'react'
import type { Query } from '../../../api/address.ts'
import { readPage } from '../../../api/client.ts'
import { localDate } from '../../../format/zone.ts'
import { useListAddress } from '../../../parts/listing.tsx'
import { Trouble } from '../../../parts/trouble.tsx'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import { csv, json, type Written } from './audit-file.ts'
import { pagesOf } from './audit-pages.ts'
import { auditWords } from './audit-words.ts'
import { auditFilters } from './change.ts'

const files = {
  CSV: { type: 'text/csv', written: csv },
  JSON: { type: 'application/json', written: json },
} as const

const pageSize = 1000

/** Saves the filtered records as a file. */
export function AuditExport({ path }: { readonly path: Query }) {
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
      const told = (count: number) => setOutcome(words.savingOf(format.number(count)))
      const { parts, count } = await written(files[kind].written, { path, filters: filtersOf(search), told })
      offer(
        new Blob(parts, { type: `${files[kind].type};charset=utf-8` }),
        `audit-log-${localDate(Date.now(), format.zone)}.${kind}`,
      )
      setOutcome(words.saved(format.number(count)))
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

interface Saving {
  readonly path: Query
  readonly filters: URLSearchParams
  readonly told: (count: number) => void
}

/** Each page becomes a part of the file as soon as it has come, so that the records themselves are not kept. */
async function written({ begin, page, end }: Written, { path, filters, told }: Saving) {
  const parts: Blob[] = [new Blob([begin])]
  let count = 0
  for await (const changes of pagesOf((query) => readPage(`${path}&${query}`), filters, pageSize)) {
    parts.push(new Blob([page(changes, count === 0)]))
    count += changes.length
    told(count)
  }
  return { parts: [...parts, new Blob([end])], count }
}

function filtersOf(search: URLSearchParams): URLSearchParams {
  const names = ['query', ...auditFilters]
  return new URLSearchParams(names.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])))
}

function offer(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name.toLowerCase()
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
