import { TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import { leadingRecord, provingRecord, Records } from './host-records.tsx'
import type { ShownPage } from './queries.ts'
import { statusPageWords } from './words.ts'

interface HostProps {
  readonly host: string
  /** Null: a new one. */
  readonly page: ShownPage | null
  readonly set: (host: string) => void
}

/** The page's own host name, with the DNS records that prove whose it is and lead visitors to this installation. */
export function HostField({ host, page, set }: HostProps) {
  const words = useWords(statusPageWords)
  const name = host.trim().toLowerCase()
  const proof = page?.host === name ? page.host_record : null
  const isFree = page?.host === name && page.host_state === 'free'
  return (
    <>
      <TextField label={words.host} name="host" hint={words.hostHint} value={host} maxLength={253} set={set} />
      {name.includes('.') ? (
        <>
          <Records hint={words.hostRecord} records={[...provingRecord(proof), leadingRecord(name)]} />
          {proof === null && !isFree ? <p className="hint">{words.hostProofLater}</p> : null}
        </>
      ) : null}
    </>
  )
}
