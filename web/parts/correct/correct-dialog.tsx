import { useRef, useState } from 'react'
import type { Correction } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { iso } from '../../format/zone.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Dialog } from '../dialog.tsx'
import { TextField } from '../fields.tsx'
import { Form } from '../form.tsx'
import { MomentField } from '../moment-field.tsx'
import { type Change, useChange } from '../use-change.ts'
import { partWords } from '../words.ts'
import { type Draft, type Range, usePreview } from './use-preview.ts'
import { correctWords } from './words.ts'
import './correct.css'

const states = ['ok', 'failure', 'paused'] as const

/** The subject of the dialog: a range to correct, a correction to change, or one to delete. */
export type Correcting =
  | { readonly kind: 'add'; readonly range: Range; readonly isLasting?: boolean }
  | { readonly kind: 'change' | 'remove'; readonly correction: Correction }

interface CorrectProps {
  readonly serviceId: number
  readonly what: Correcting
  /** The range whose service level is shown before and after. */
  readonly shown: Range & { readonly isMonth?: boolean }
  readonly close: (isDone: boolean) => void
}

/** Counts time as something else; says beforehand what becomes of the service level. It opens as it appears. */
export function CorrectDialog({ serviceId, what, shown, close }: CorrectProps) {
  const words = useWords(correctWords)
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const isDone = useRef(false)
  const known = what.kind === 'add' ? null : what.correction
  const [draft, setDraft] = useState(() => draftOf(what))
  const [reason, setReason] = useState(known?.description ?? '')
  const changing = useChange()
  const { mutate } = changing
  const whole: Draft | null =
    draft.from === null || draft.to === null ? null : { from: draft.from, to: draft.to, status: draft.status }
  const isBackwards = whole !== null && whole.to <= whole.from
  const call = callOf(serviceId, what, isBackwards ? null : whole, reason)
  const send = (settle: () => void) => {
    // Closed before it goes away, so that the focus returns to where it was.
    const onSuccess = () => {
      isDone.current = true
      settle()
      dialog.current?.close()
    }
    if (call !== null) mutate(call, { onSuccess })
  }
  const title = { add: words.title, change: words.changeTitle, remove: words.removeTitle }[what.kind]
  return (
    <Dialog ref={dialog} title={title} className="correct" closed={() => close(isDone.current)}>
      <Form
        outcome={changing}
        submit={send}
        call={what.kind === 'remove' ? null : call}
        action={what.kind === 'remove' ? words.remove : words.save}
        look={what.kind === 'remove' ? 'danger' : 'primary'}
        isReady={what.kind === 'remove' || whole !== null}
        more={
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {parts.cancel}
          </button>
        }
      >
        <p>{what.kind === 'remove' ? words.removeText : words.text}</p>
        {what.kind === 'remove' ? (
          <Stands correction={what.correction} />
        ) : (
          <Fields
            draft={draft}
            isBackwards={isBackwards}
            set={(part) => setDraft((before) => ({ ...before, ...part }))}
            reason={reason}
            setReason={setReason}
          />
        )}
        {what.kind === 'remove' || whole === null || isBackwards ? null : (
          <Ahead draft={whole} isLasting={what.kind === 'add' && what.isLasting === true} />
        )}
        {isBackwards ? null : (
          <PreviewLine
            serviceId={serviceId}
            shown={shown}
            replaced={known}
            draft={what.kind === 'remove' ? null : whole}
            isIncomplete={what.kind !== 'remove' && whole === null}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** Null: a moment is missing. */
function callOf(serviceId: number, what: Correcting, draft: Draft | null, reason: string): Change | null {
  if (what.kind === 'remove') return callTo('DELETE', `/corrections/${what.correction.id}`)
  if (draft === null) return null
  const times = { start_time: iso(draft.from), end_time: iso(draft.to) }
  const body = { ...times, status: draft.status, description: reason }
  if (what.kind === 'change') return callTo('PUT', `/corrections/${what.correction.id}`, body)
  return callTo('POST', '/corrections', { service_id: serviceId, ...body })
}

interface Edited {
  readonly from: number | null
  readonly to: number | null
  readonly status: Correction['status']
}

function draftOf(what: Correcting): Edited {
  if (what.kind === 'add') return { ...what.range, status: 'ok' }
  const { start_time, end_time, status } = what.correction
  return { from: Date.parse(start_time), to: Date.parse(end_time), status }
}

interface FieldsProps {
  readonly draft: Edited
  readonly isBackwards: boolean
  readonly set: (part: Partial<Edited>) => void
  readonly reason: string
  readonly setReason: (reason: string) => void
}

function Fields({ draft, isBackwards, set, reason, setReason }: FieldsProps) {
  const words = useWords(correctWords)
  const { zone } = useReader()
  return (
    <>
      <div className="moments">
        <MomentField
          label={words.from}
          name="start_time"
          value={draft.from}
          zone={zone}
          change={(from) => set({ from })}
        />
        <MomentField
          label={words.to}
          name="end_time"
          value={draft.to}
          zone={zone}
          isWrong={isBackwards}
          change={(to) => set({ to })}
        />
      </div>
      {isBackwards ? (
        <p className="problem" role="alert">
          {words.backwards}
        </p>
      ) : null}
      <fieldset className="choices">
        <legend className="label">{words.countAs}</legend>
        {states.map((name) => (
          <label key={name} className="row">
            <input type="radio" name="status" checked={draft.status === name} onChange={() => set({ status: name })} />
            {words.states[name]}
          </label>
        ))}
        <span className="hint">{words.notMonitoredHint}</span>
      </fieldset>
      <TextField
        label={words.reason}
        name="description"
        hint={words.reasonHint}
        value={reason}
        maxLength={1000}
        set={setReason}
      />
    </>
  )
}

function Stands({ correction }: { readonly correction: Correction }) {
  const words = useWords(correctWords)
  const { format } = useReader()
  return (
    <p>
      <b>{words.states[correction.status]}</b>, {format.moment(correction.start_time)} –{' '}
      {format.moment(correction.end_time)} ({format.zone}) <span className="hint">{correction.description}</span>
    </p>
  )
}

/** Explains the time after now, and after the end of the correction. */
function Ahead({ draft, isLasting }: { readonly draft: Draft; readonly isLasting: boolean }) {
  const words = useWords(correctWords)
  const isAhead = draft.to > Date.now()
  if (!isAhead && !isLasting) return null
  return (
    <p className="hint" role="status">
      {isAhead ? words.ahead(words.states[draft.status]) : words.lasting}
    </p>
  )
}

interface PreviewProps {
  readonly serviceId: number
  readonly shown: Range & { readonly isMonth?: boolean }
  readonly replaced: Correction | null
  readonly draft: Draft | null
  readonly isIncomplete: boolean
}

function PreviewLine({ serviceId, shown, replaced, draft, isIncomplete }: PreviewProps) {
  const words = useWords(correctWords)
  const { format } = useReader()
  const said = (share: number | null) => (share === null ? words.noLevel : format.percent(share))
  const preview = usePreview(serviceId, shown, replaced, isIncomplete ? null : draft)
  const isOutside = draft !== null && (draft.to <= shown.from || draft.from >= shown.to) && replaced === null
  return (
    <p className="preview" aria-live="polite">
      {isOutside ? (
        words.outside
      ) : preview === null || isIncomplete ? (
        ' '
      ) : (
        <>
          {shown.isMonth === true ? words.overMonth : words.over}:{' '}
          <b>{words.levels(said(preview.before), said(preview.after))}</b>
        </>
      )}
    </p>
  )
}
