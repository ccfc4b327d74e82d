import { useRef, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { WhyField } from '../../parts/why-field.tsx'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { type NamedService, type Outcome, useBulkChange, useCovered } from './calendar-queries.ts'
import { Owners } from './owners.tsx'
import { conditionsOf, ScopeField, selectionOf } from './scope-field.tsx'
import { callOf, endOf, removalOf, type SuspensionCall } from './suspension-calls.ts'
import { type Asked, type Draft, draftOf, inZoneOf, isWhole } from './suspension-draft.ts'
import { OnceFields, WeeklyFields } from './time-fields.tsx'
import type { Occurrence, Plan } from './week.ts'
import { calendarWords } from './words.ts'

interface DialogProps {
  readonly asked: Asked
  readonly zone: string
  readonly services: ReadonlyMap<number, NamedService>
  readonly close: (isDone: boolean) => void
}

/** Makes a suspension of one or many services, or shows one with everything that can be done about it. */
export function SuspensionDialog({ asked, zone, services, close }: DialogProps) {
  const words = useWords(calendarWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const isDone = useRef(false)
  const [typed, setDraft] = useState(() => draftOf(asked, zone))
  const [refused, setRefused] = useState<readonly Outcome[]>([])
  const changing = useBulkChange()
  const { mutate, isPending, data: outcomes = [] } = changing
  const plan = asked.kind === 'edit' ? asked.occurrence.plan : null
  const chosen = useCovered(plan === null ? conditionsOf(typed.scope) : null)
  const covered = plan === null ? chosen : plan.serviceIds.flatMap((id) => services.get(id) ?? [])
  // One that follows a group or a tag names no services; it has the zone of its account.
  const zones = [...new Set(plan?.wide && plan.week ? [plan.week.zone] : covered.flatMap(({ zone }) => zone ?? []))]
  const draft = inZoneOf(typed, zones)
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const send = (asking: SuspensionCall) =>
    mutate(asking, {
      onSuccess: (all) => {
        const failed = all.filter(({ ok }) => !ok)
        setRefused(failed)
        if (failed.length > 0) return
        isDone.current = true
        dialog.current?.close()
      },
    })
  const call = callOf(draft, plan)
  const mayChange = plan === null || plan.mayChange
  return (
    <Dialog
      ref={dialog}
      title={plan === null ? words.newTitle : words.editTitle}
      className="suspension"
      closed={() => close(isDone.current)}
    >
      <Form
        outcome={changing}
        submit={() => call !== null && send(call)}
        call={call}
        action={mayChange ? words.save : null}
        look="primary"
        managed={plan?.managed}
        isReady={isWhole(draft) && (plan !== null || selectionOf(draft.scope) !== null)}
        more={
          <Buttons
            {...{ plan, mayChange, isPending }}
            occurrence={asked.kind === 'edit' ? asked.occurrence : null}
            remove={() => plan !== null && send(removalOf(plan))}
            endNow={() => plan !== null && send(endOf(plan))}
            cancel={() => dialog.current?.close()}
          />
        }
      >
        {plan === null ? (
          <NewHead draft={draft} covered={covered} set={set} />
        ) : (
          <Who plan={plan} services={services} />
        )}
        {plan !== null && mayChange ? <Owners services={covered} /> : null}
        <fieldset className="plain stack" disabled={!mayChange}>
          <When draft={draft} zone={zone} ownersZones={zones} mayChange={mayChange} set={set} />
        </fieldset>
        <Refused refused={refused} all={outcomes.length} />
        {plan !== null || selectionOf(draft.scope) !== null ? null : <p className="hint">{words.choose}</p>}
      </Form>
    </Dialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function NewHead({ draft, covered, set }: PartProps & { readonly covered: readonly NamedService[] }) {
  const words = useWords(calendarWords)
  return (
    <>
      <ScopeField scope={draft.scope} set={(part) => set({ scope: { ...draft.scope, ...part } })} />
      <Owners services={covered} />
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
  readonly ownersZones: readonly string[]
  readonly mayChange: boolean
}

function When({ draft, zone, ownersZones, mayChange, set }: WhenProps) {
  const words = useWords(calendarWords)
  const parts = useWords(partWords)
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
        <WeeklyFields
          start={draft.start}
          end={draft.end}
          zones={ownersZones}
          set={(part) => set({ start: draft.start, end: draft.end, ...part, isWeekChosen: true })}
        />
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={draft.onlyNotifications}
          onChange={({ target }) => set({ onlyNotifications: target.checked })}
        />
        {words.onlyNotifications}
      </label>
      <p className="hint">{draft.onlyNotifications ? parts.quietEffect : parts.suspendEffect}</p>
      <WhyField value={draft.description} set={(description) => set({ description })} />
    </>
  )
}

const namesShown = 8

function Who({ plan, services }: { readonly plan: Plan; readonly services: ReadonlyMap<number, NamedService> }) {
  const words = useWords(calendarWords)
  if (plan.wide !== null) return <WideWho wide={plan.wide} />
  const names = plan.serviceIds.slice(0, namesShown).map((id) => services.get(id)?.name ?? `#${id}`)
  const rest = plan.serviceIds.length - names.length
  return (
    <p className="whose">
      <b>{plan.serviceIds.length === 1 ? null : `${words.services(plan.serviceIds.length)}: `}</b>
      {names.join(', ')} {rest > 0 ? words.more(rest) : null}
    </p>
  )
}

function WideWho({ wide: { group, tag } }: { readonly wide: NonNullable<Plan['wide']> }) {
  const words = useWords(calendarWords)
  return (
    <div className="whose">
      <b>{words.wide(group, tag)}</b>
      <p className="hint">{words.followHint}</p>
    </div>
  )
}

interface RefusedProps {
  readonly refused: readonly Outcome[]
  readonly all: number
}

/** Why some of many were not changed; the same reason once. */
function Refused({ refused, all }: RefusedProps) {
  const words = useWords(calendarWords)
  const reasons = new Map<string, number>()
  for (const { problems } of refused) {
    const text = problems.map(({ message }) => message).join(' ')
    reasons.set(text, (reasons.get(text) ?? 0) + 1)
  }
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
  readonly remove: () => void
  readonly endNow: () => void
  readonly cancel: () => void
}

function Buttons({ plan, occurrence, mayChange, isPending, remove, endNow, cancel }: ButtonsProps) {
  const words = useWords(calendarWords)
  const parts = useWords(partWords)
  const [isSure, setSure] = useState(false)
  const now = Date.now()
  const isRunning = plan?.kind === 'once' && occurrence !== null && occurrence.from <= now && occurrence.to > now
  return (
    <>
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
    </>
  )
}
