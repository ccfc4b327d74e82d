import { CopyButton } from '../../parts/copy-button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownPage } from './queries.ts'
import { statusPageWords } from './words.ts'

interface HostProps {
  readonly host: string
  /** Null: a new one. */
  readonly page: ShownPage | null
  readonly set: (host: string) => void
}

/** The host of its own, with the record that leads it here. */
export function HostField({ host, set }: HostProps) {
  const words = useWords(statusPageWords)
  const name = host.trim().toLowerCase()
  const record = `${name}. CNAME ${location.hostname}.`
  return (
    <>
      <TextField label={words.host} name="host" hint={words.hostHint} value={host} maxLength={253} set={set} />
      {name.includes('.') ? (
        <div className="dns-record">
          <p className="hint">{words.hostRecord}</p>
          <div className="row">
            <code>{record}</code>
            <CopyButton text={record} />
          </div>
        </div>
      ) : null}
    </>
  )
}
