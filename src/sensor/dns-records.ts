import type { Answer } from 'dns-packet'

/** Records as text, one per line: whole zone-file lines, or only their data. */
export function describeRecords(records: readonly Answer[], part: 'line' | 'data'): string {
  return records
    .flatMap((record) => {
      if (record.type === 'OPT' || !('data' in record)) return []
      const data = dataText(record.data)
      return [part === 'data' ? data : `${record.name} ${'ttl' in record ? record.ttl : ''} ${record.type} ${data}`]
    })
    .join('\n')
}

function dataText(data: unknown): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  if (Array.isArray(data)) return data.map(dataText).join('')
  if (typeof data !== 'object' || data === null) return String(data)
  return (
    Object.values(data)
      // Only CAA has one: it repeats a bit of the record's flags.
      .filter((value) => typeof value !== 'boolean')
      .map((value) => (Buffer.isBuffer(value) ? value.toString('utf8') : String(value)))
      .join(' ')
  )
}
