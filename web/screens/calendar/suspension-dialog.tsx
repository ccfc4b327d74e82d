import { type FormEvent, useEffect, useRef, useState } from 'react'
import { iso, localText } from '../../format/zone.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { type NamedService, type Outcome, useBulkChange } from './calendar-queries.ts'
import { type Scope, ScopeField, selectionOf } from './scope-field.tsx'
import { OnceFields, type Times, WeeklyFields } from './time-fields.tsx'
import type { Occurrence, Plan, WeekMinute } from './week.ts'
import { calendarWords } from './words.ts'

/** A new suspension of a time, or one that is there. */
export type Asked =
  | { readonly kind: 'new'; readonly from: number; readonly to: number; readonly scope: Partial<Scope> }
  | { readonly kind: 'edit'; readonly occurrence: Occurrence }

interface DialogProps {
  readonly asked: Asked
  readonly zone: string
  readonly services: ReadonlyMap<number, NamedService>
  readonly close: (isDone: boolean) => void
}

interface Draft extends Times {
  readonly kind: Plan['kind']
  readonly start: WeekMinute
  readonly end: WeekMinute
  readonly onlyNotifications: boolean
  readonly description: string
  readonly scope: Scope
}

const nowhere: Scope = { kind: 'services', services: new Map(), groupId: null, tag: null }

function minuteOf(at: number, zone: string): WeekMinute {
  const text = localText(at, zone)
  const day = new Date(`${text}Z`).getUTCDay()
  return { day_of_week: day === 0 ? 7 : day, hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) }
}

function draftOf(asked: Asked, zone: string): Draft {
  if (asked.kind === 'new') {
    const { from, to, scope } = asked
    const minutes = { start: minuteOf(from, zone), end: minuteOf(to, zone) }
    const empty = { onlyNotifications: false, description: '', scope: { ...nowhere, ...scope } }
    return { kind: 'once', from, to, ...minutes, ...empty }
  }
  const { plan, from, to } = asked.occurrence
  const { kind, onlyNotifications, description } = plan
  const minutes = plan.week ?? { start: minuteOf(from, zone), end: minuteOf(to, zone) }
  return { kind, from, to, start: minutes.start, end: minutes.end, onlyNotifications, description, scope: nowhere }
}

/** Members of the body that say when. Null: a moment is missing. */
function timesOf({ kind, from, to, start, end }: Draft) {
  if (kind === 'weekly') return { start_minute: start, end_minute: end }
  return from === null || to === null || to <= from ? null : { start_time: iso(from), end_time: iso(to) }
}

/** Makes a suspension of one or many services, or shows one with everything that can be done about it. */
export function SuspensionDialog({ asked, zone, services, close }: DialogProps) {
  const words = useWords(calendarWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const isDone = useRef(false)
  useEffect(() => dialog.current?.showModal(), [])
  const [draft, setDraft] = useState(() => draftOf(asked, zone))
  const [refused, setRefused] = useState<readonly Outcome[]>([])
  const { mutate, isPending, error, data: outcomes = [] } = useBulkChange()
  const plan = asked.kind === 'edit' ? asked.occurrence.plan : null
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const send = (path: string, body: unknown) =>
    mutate(
      { path, body },
      {
        onSuccess: (all) => {
          const failed = all.filter(({ ok }) => !ok)
          setRefused(failed)
          if (failed.length > 0) return
          isDone.current = true
          dialog.current?.close()
        },
      },
    )
  const collection = draft.kind === 'weekly' ? '/weekly_suspensions' : '/suspensions'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const selection = plan === null ? selectionOf(draft.scope) : { ids: plan.ids }
    const times = timesOf(draft)
    if (selection === null || times === null) return
    const said = { only_notifications: draft.onlyNotifications, description: draft.description }
    send(`${collection}/${plan === null ? 'bulk_create' : 'bulk_update'}`, { ...selection, ...times, ...said })
  }
  const mayChange = plan === null || plan.mayChange
  return (
    <dialog
      ref={dialog}
      className="suspension"
      aria-labelledby="suspension-title"
      onClose={() => close(isDone.current)}
    >
      <form onSubmit={submit}>
        <h2 id="suspension-title">{plan === null ? words.newTitle : words.editTitle}</h2>
        {plan === null ? <NewHead draft={draft} set={set} /> : <Who plan={plan} services={services} />}
        <fieldset className="plain stack" disabled={!mayChange}>
          <When draft={draft} zone={zone} ownersZone={plan?.week?.zone ?? null} mayChange={mayChange} set={set} />
        </fieldset>
        <Refused refused={refused} all={outcomes.length} error={error} />
        <Buttons
          {...{ plan, mayChange, isPending }}
          isChosen={plan !== null || selectionOf(draft.scope) !== null}
          occurrence={asked.kind === 'edit' ? asked.occurrence : null}
          remove={() => send(`${collection}/bulk_delete`, { ids: plan?.ids })}
          endNow={() => send('/suspensions/bulk_update', { ids: plan?.ids, end_time: iso(Date.now()) })}
          cancel={() => dialog.current?.close()}
        />
      </form>
    </dialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function NewHead({ draft, set }: PartProps) {
  const words = useWords(calendarWords)
  return (
    <>
      <ScopeField scope={draft.scope} set={(part) => set({ scope: { ...draft.scope, ...part } })} />
      <fieldset className="scope">
        <legend className="label">{words.kind}</legend>
        <div className="row">
          {(['once', 'weekly'] as const).map((kind) => (
            <label key={kind} className="row">
              <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => set({ kind })} />
              {kind === 'once' ? words.once : words.everyWeek}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}

interface WhenProps extends PartProps {
  readonly zone: string
  readonly ownersZone: string | null
  readonly mayChange: boolean
}

function When({ draft, zone, ownersZone, mayChange, set }: WhenProps) {
  const words = useWords(calendarWords)
  const isBackwards = draft.from !== null && draft.to !== null && draft.to <= draft.from
  return (
    <>
      {draft.kind === 'once' ? (
        <OnceFields
          from={draft.from}
          to={draft.to}
          zone={zone}
          isBackwards={isBackwards}
          hasPresets={mayChange}
          set={set}
        />
      ) : (
        <WeeklyFields start={draft.start} end={draft.end} zone={ownersZone} set={set} />
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={draft.onlyNotifications}
          onChange={({ target }) => set({ onlyNotifications: target.checked })}
        />
        {words.onlyNotifications}
      </label>
      <label className="field">
        {words.why}
        <input
          value={draft.description}
          maxLength={1000}
          onChange={({ target }) => set({ description: target.value })}
        />
        <span className="hint">{words.whyHint}</span>
      </label>
    </>
  )
}

const namesShown = 8

function Who({ plan, services }: { readonly plan: Plan; readonly services: ReadonlyMap<number, NamedService> }) {
  const words = useWords(calendarWords)
  const names = plan.serviceIds.slice(0, namesShown).map((id) => services.get(id)?.name ?? `#${id}`)
  const rest = plan.serviceIds.length - names.length
  return (
    <p className="whose">
      <b>{plan.serviceIds.length === 1 ? null : `${words.services(plan.serviceIds.length)}: `}</b>
      {names.join(', ')} {rest > 0 ? words.more(rest) : null}
    </p>
  )
}

interface RefusedProps {
  readonly refused: readonly Outcome[]
  readonly all: number
  readonly error: Error | null
}

/** Why some of many were not changed; the same reason once. */
function Refused({ refused, all, error }: RefusedProps) {
  const words = useWords(calendarWords)
  const reasons = new Map<string, number>()
  for (const { problems } of refused) {
    const text = problems.map(({ message }) => message).join(' ')
    reasons.set(text, (reasons.get(text) ?? 0) + 1)
  }
  if (error !== null)
    return (
      <p className="problem" role="alert">
        {error.message}
      </p>
    )
  if (refused.length === 0) return null
  return (
    <div className="problem" role="alert">
      {words.refused(refused.length, all)}
      <ul>
        {[...reasons].map(([text, count]) => (
          <li key={text}>{words.times(count, text)}</li>
        ))}
      </ul>
    </div>
  )
}

interface ButtonsProps {
  readonly plan: Plan | null
  readonly occurrence: Occurrence | null
  readonly mayChange: boolean
  readonly isPending: boolean
  readonly isChosen: boolean
  readonly remove: () => void
  readonly endNow: () => void
  readonly cancel: () => void
}

function Buttons({ plan, occurrence, mayChange, isPending, isChosen, remove, endNow, cancel }: ButtonsProps) {
  const words = useWords(calendarWords)
  const parts = useWords(partWords)
  const [isSure, setSure] = useState(false)
  const now = Date.now()
  const isRunning = plan?.kind === 'once' && occurrence !== null && occurrence.from <= now && occurrence.to > now
  return (
    <>
      {isChosen ? null : <p className="hint">{words.choose}</p>}
      <div className="row">
        {mayChange ? (
          <button type="submit" className="button primary" disabled={isPending || !isChosen}>
            {words.save}
          </button>
        ) : null}
        {mayChange && isRunning ? (
          <button type="button" className="button" disabled={isPending} onClick={endNow}>
            {words.endNow}
          </button>
        ) : null}
        {mayChange && plan !== null ? (
          <button
            type="button"
            className="button danger"
            disabled={isPending}
            onClick={() => (isSure ? remove() : setSure(true))}
          >
            {isSure ? words.removeAll(plan.ids.length) : words.remove}
          </button>
        ) : null}
        <button type="button" className="button" onClick={cancel}>
          {mayChange ? parts.cancel : parts.close}
        </button>
      </div>
    </>
  )
}
