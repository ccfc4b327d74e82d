import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import {
  nameOf,
  type ShownContact,
  type ShownContactGroup,
  type ShownEscalation,
  type ShownRotation,
} from '../../parts/on-call/on-call-queries.ts'
import { Picks } from '../../parts/on-call/picks.tsx'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useTerms } from '../../parts/terms.ts'
import { Things } from '../../parts/things.tsx'
import { UsedBy } from '../../parts/uses/used-by.tsx'
import { useWords } from '../../words/words.ts'

interface Named {
  readonly contacts: readonly ShownContact[]
  readonly groups: readonly ShownContactGroup[]
  readonly rotations: readonly ShownRotation[]
}

/** The next people to notify while nobody acknowledges. */
export function Escalations({ escalations, ...named }: Named & { readonly escalations: readonly ShownEscalation[] }) {
  const words = useWords(onCallWords)
  return (
    <Things
      id="escalations"
      title={words.escalations}
      add={words.addEscalation}
      collection="/escalations"
      things={escalations}
      empty={<p>{words.noEscalations}</p>}
      show={(escalation) => (
        <>
          <b>{escalation.name}</b>
          <ol className="steps">
            {sentences(words, escalation, named).map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ol>
        </>
      )}
      uses={({ id }) => (
        <UsedBy lists={{ services: `/services?escalation_id=${id}`, groups: `/groups?escalation_id=${id}` }} />
      )}
      form={(escalation, closed) => <EscalationForm escalation={escalation} named={named} closed={closed} />}
    />
  )
}

type Words = (typeof onCallWords)['en']

/** Minutes as they are typed. */
interface StepDraft {
  /** Tells it from the others while they are moved and removed. */
  readonly key: number
  readonly delay: string
  readonly repeat: string
  readonly contactIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly rotationIds: readonly number[]
  readonly channelIds: readonly string[] | null
}

type Step = ShownEscalation['steps'][number]

let keys = 0
function nextKey(): number {
  keys += 1
  return keys
}

function draftOfStep(step: Step): StepDraft {
  const minutes = (seconds: number | null | undefined) => (seconds == null ? '' : String(seconds / 60))
  return {
    key: nextKey(),
    delay: minutes(step.delay_seconds),
    repeat: minutes(step.repeat_seconds),
    contactIds: step.contact_ids ?? [],
    groupIds: step.contact_group_ids ?? [],
    rotationIds: step.rotation_ids ?? [],
    channelIds: step.channel_ids ?? null,
  }
}

/** A text that is no number of minutes is sent unchanged: the API says what it expects. */
function secondsOf(minutes: string): number | string {
  const count = Number(minutes.replace(',', '.'))
  return Number.isFinite(count) ? Math.round(count * 60) : minutes
}

function bodyOfStep({ delay, repeat, contactIds, groupIds, rotationIds, channelIds }: StepDraft) {
  return {
    delay_seconds: delay === '' ? 0 : secondsOf(delay),
    repeat_seconds: repeat === '' ? null : secondsOf(repeat),
    ...{ contact_ids: contactIds, contact_group_ids: groupIds, rotation_ids: rotationIds, channel_ids: channelIds },
  }
}

function sentence(words: Words, step: StepDraft, { contacts, groups, rotations }: Named, isFirst: boolean): string {
  const whom = [
    ...step.contactIds.map((id) => nameOf(contacts, id)),
    ...step.groupIds.map((id) => nameOf(groups, id)),
    ...step.rotationIds.map((id) => words.onDutyIn(nameOf(rotations, id))),
  ]
  const isAtOnce = step.delay === '' || step.delay === '0'
  const when = isAtOnce ? (isFirst ? words.atOnce : words.sameMoment) : words.after(step.delay)
  const again = step.repeat === '' ? '' : `, ${words.again(step.repeat)}`
  return `${when}: ${whom.length === 0 ? words.nobody : whom.join(', ')}${again}`
}

function sentences(words: Words, { steps }: ShownEscalation, named: Named) {
  return steps.map((step, index) => {
    return { key: `step ${index}`, text: sentence(words, draftOfStep(step), named, index === 0) }
  })
}

interface Draft {
  readonly name: string
  readonly steps: readonly StepDraft[]
}

const newStep = (delay: string): StepDraft => ({
  ...{ key: nextKey(), delay, repeat: '', contactIds: [], groupIds: [], rotationIds: [], channelIds: null },
})
const draftOf = ({ name, steps }: Pick<ShownEscalation, 'name' | 'steps'>): Draft => ({
  name,
  steps: steps.map(draftOfStep),
})
const bodyOf = ({ name, steps }: Draft) => ({ name, steps: steps.map(bodyOfStep) })

interface FormProps {
  readonly escalation: ShownEscalation | null
  readonly named: Named
  readonly closed: () => void
}

function EscalationForm({ escalation, named, closed }: FormProps) {
  const words = useWords(onCallWords)
  const [draft, setDraft] = useState<Draft>(() =>
    escalation === null ? { name: '', steps: [newStep('0')] } : draftOf(escalation),
  )
  const path = escalation === null ? null : (`/escalations/${escalation.id}` as const)
  const setStep = (at: number, part: Partial<StepDraft>) =>
    setDraft((before) => ({
      ...before,
      steps: before.steps.map((step, index) => (index === at ? { ...step, ...part } : step)),
    }))
  const remove = (at: number) =>
    setDraft((before) => ({ ...before, steps: before.steps.filter((_, index) => index !== at) }))
  return (
    <EditDialog
      title={escalation === null ? words.addEscalation : words.editNamed(escalation.name)}
      action={words.save}
      making={callTo('POST', '/escalations', bodyOf(draft))}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} set={(name) => setDraft({ ...draft, name })} />
      {draft.steps.map((step, index) => (
        <StepFields
          key={step.key}
          index={index}
          step={step}
          named={named}
          set={(part) => setStep(index, part)}
          remove={draft.steps.length === 1 ? null : () => remove(index)}
        />
      ))}
      <button
        type="button"
        className="button small"
        onClick={() => setDraft({ ...draft, steps: [...draft.steps, newStep('10')] })}
      >
        <Icon name="add" />
        {words.addStep}
      </button>
    </EditDialog>
  )
}

interface StepProps {
  readonly index: number
  readonly step: StepDraft
  readonly named: Named
  readonly set: (part: Partial<StepDraft>) => void
  /** Null: it is the only one. */
  readonly remove: (() => void) | null
}

function StepFields({ index, step, named, set, remove }: StepProps) {
  const words = useWords(onCallWords)
  const channels = useTerms('notification_channels')
  const at = `steps[${index}]`
  return (
    <fieldset className="step" data-field={at}>
      <legend>{words.step(index + 1)}</legend>
      <p className="hint">{sentence(words, step, named, index === 0)}</p>
      {Object.values(named).some((people) => people.length > 0) ? null : <p className="hint">{words.contactsFirst}</p>}
      <TextField
        label={words.delay}
        name={`${at}.delay_seconds`}
        inputMode="decimal"
        value={step.delay}
        set={(delay) => set({ delay })}
      />
      <Picks
        legend={words.contacts}
        name={`${at}.contact_ids`}
        all={named.contacts}
        chosen={step.contactIds}
        choose={(contactIds) => set({ contactIds })}
      />
      <Picks
        legend={words.groups}
        name={`${at}.contact_group_ids`}
        all={named.groups}
        chosen={step.groupIds}
        choose={(groupIds) => set({ groupIds })}
      />
      <Picks
        legend={words.rotations}
        name={`${at}.rotation_ids`}
        all={named.rotations}
        chosen={step.rotationIds}
        choose={(rotationIds) => set({ rotationIds })}
      />
      <Picks
        legend={words.byChannels}
        name={`${at}.channel_ids`}
        all={channels}
        chosen={step.channelIds ?? []}
        choose={(ids) => set({ channelIds: ids.length === 0 ? null : ids })}
      />
      <TextField
        label={words.repeat}
        name={`${at}.repeat_seconds`}
        inputMode="decimal"
        value={step.repeat}
        set={(repeat) => set({ repeat })}
      />
      {remove === null ? null : (
        <button type="button" className="button small" onClick={remove}>
          {words.removeStep(index + 1)}
        </button>
      )}
    </fieldset>
  )
}
