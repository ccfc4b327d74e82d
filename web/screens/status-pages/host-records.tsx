import type { StatusPage } from '../../api/answers.ts'
import { CopyButton } from '../../parts/copy-button.tsx'

/** A DNS record as zone files have it. */
type RecordText = string

export function leadingRecord(host: string): RecordText {
  return `${host}. CNAME ${location.hostname}.`
}

export function provingRecord(record: StatusPage['host_record']): readonly RecordText[] {
  return record === null ? [] : [`${record.name}. ${record.type} "${record.value}"`]
}

interface RecordsProps {
  readonly hint: string
  readonly records: readonly RecordText[]
}

/** DNS records to copy. */
export function Records({ hint, records }: RecordsProps) {
  return (
    <div className="dns-records">
      <p className="hint">{hint}</p>
      {records.map((record) => (
        <div key={record} className="row">
          <code>{record}</code>
          <CopyButton text={record} />
        </div>
      ))}
    </div>
  )
}
