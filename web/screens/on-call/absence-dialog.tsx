import { useState } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import type { ShownContact } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

const day = 24 * 3_600_000

/** A time in which the contact is told nothing. */
export function AbsenceDialog({ contact, closed }: { readonly contact: ShownContact; readonly closed: () => void }) {
  const words = useWords(onCallWords)
  const { zone } = useFormat()
  const [from, setFrom] = useState<number | null>(() => Math.floor(Date.now() / 60_000) * 60_000)
  const [to, setTo] = useState<number | null>(() => Math.floor(Date.now() / 60_000) * 60_000 + day)
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return (
    <FormDialog
      title={words.offDutyOf(contact.name)}
      action={words.save}
      isReady={from !== null && to !== null}
      request={() => ({
        method: 'POST',
        path: '/contact_suspensions',
        body: { contact_id: contact.id, start_time: text(from), end_time: text(to) },
      })}
      closed={closed}
    >
      <p className="hint">{words.offDutyText}</p>
      <MomentField label={words.from} value={from} change={setFrom} zone={zone} />
      <MomentField label={words.to} value={to} change={setTo} zone={zone} />
    </FormDialog>
  )
}
