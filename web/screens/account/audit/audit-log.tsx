import { Listing } from '../../../parts/listing.tsx'
import { useFormat, useReader } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'
import { auditWords } from './audit-words.ts'
import { auditFilters, auditPath, type Change } from './change.ts'
import { useObjectNames } from './object-names.ts'
import './audit.css'

/** The audit log of the account: sentences, with the values that differ. */
export function AuditLog() {
  const words = useWords(auditWords)
  const format = useFormat()
  const { account } = useReader()
  const path = auditPath(account.id)
  return (
    <section className="card audit" aria-labelledby="audit">
      <header>
        <h2 id="audit">{words.title}</h2>
        <span className="dim">{format.zone}</span>
      </header>
      <p className="inside dim">{words.about}</p>
      <AuditFilters />
      <AuditExport path={path} />
      <Listing path={`${path}&sort=-id`} what={words.title} empty={words.none} filters={auditFilters} canSearch>
        {(rows) => <Rows rows={rows} />}
      </Listing>
    </section>
  )
}

function Rows({ rows }: { readonly rows: readonly Change[] }) {
  const names = useObjectNames(rows)
  return (
    <ul className="items">
      {rows.map((change) => (
        <AuditRow key={change.id} change={change} names={names} />
      ))}
    </ul>
  )
}
