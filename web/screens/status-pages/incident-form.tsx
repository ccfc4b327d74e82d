import { useState } from 'react'
import type { StatusPageIncident } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { iso } from '../../format/zone.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import { Picks } from '../../parts/on-call/picks.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type Affected, AffectedFields } from './affected-fields.tsx'
import { impacts, isOfMaintenance, statusesOf } from './incident-statuses.ts'
import type { ShownComponent, ShownIncident, ShownTemplate } from './queries.ts'
import { statusPageWords } from './words.ts'

function momentOf(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text)
}

const noAffected: Affected = []

function draftOf(incident: Partial<StatusPageIncident>) {
  return {
    name: incident.name ?? '',
    status: incident.status ?? 'investigating',
    impact: incident.impact ?? 'minor',
    componentIds: incident.component_ids ?? [],
    isMaintenance: incident.is_maintenance ?? false,
    isPublished: incident.is_published ?? false,
    from: momentOf(incident.scheduled_for),
    until: momentOf(incident.scheduled_until),
    message: '',
    affected: noAffected,
  }
}

type Draft = ReturnType<typeof draftOf>

interface FormProps {
  readonly pageId: number
  /** Null: a new one. */
  readonly incident: ShownIncident | null
  readonly components: readonly ShownComponent[]
  readonly templates: readonly ShownTemplate[]
  readonly closed: () => void
}

const momentText = (at: number | null) => (at === null ? null : iso(at))

function bodyOf({ name, impact, componentIds, isPublished, isMaintenance, from, until }: Draft) {
  return {
    ...{ name, impact, component_ids: componentIds, is_published: isPublished },
    ...(isMaintenance ? { scheduled_for: momentText(from), scheduled_until: momentText(until) } : {}),
  }
}

/** The body of a new one. */
function firstBodyOf(state: Draft, pageId: number) {
  const { isMaintenance, message } = state
  const affected = state.affected.filter(({ component_id: id }) => state.componentIds.includes(id))
  return {
    ...{ status_page_id: pageId, is_maintenance: isMaintenance, status: state.status },
    ...bodyOf(state),
    ...(message.trim() === '' ? {} : { body: message }),
    ...(affected.length > 0 && !isMaintenance ? { affected_components: affected } : {}),
  }
}

/** Makes an incident or maintenance with its first message, or changes one. */
export function IncidentForm({ pageId, incident, components, templates, closed }: FormProps) {
  const words = useWords(statusPageWords)
  const [draft, setDraft] = useState(() => draftOf(incident ?? {}))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const isNew = incident === null
  const path = isNew ? null : (`/status_page_incidents/${incident.id}` as const)
  return (
    <EditDialog
      title={isNew ? words.addIncident : incident.name}
      action={words.save}
      making={callTo('POST', '/status_page_incidents', firstBodyOf(draft, pageId))}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      {isNew && templates.length > 0 ? <FromTemplate templates={templates} set={set} /> : null}
      <TextField label={words.name} name="name" value={draft.name} maxLength={200} set={(name) => set({ name })} />
      {isNew ? <Kind draft={draft} set={set} /> : null}
      {draft.isMaintenance ? <Times draft={draft} set={set} /> : <Impact draft={draft} set={set} />}
      <Picks
        legend={words.affected}
        name="component_ids"
        all={components}
        chosen={draft.componentIds}
        choose={(componentIds) => set({ componentIds: [...componentIds] })}
      />
      {components.length > 0 && draft.componentIds.length === 0 ? <p className="hint">{words.affectsNothing}</p> : null}
      {isNew ? <FirstMessage draft={draft} set={set} components={components} /> : null}
      <CheckField label={words.publishNow} checked={draft.isPublished} set={(isPublished) => set({ isPublished })} />
    </EditDialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

/** A prepared incident replaces the fields of the form. */
function FromTemplate({ templates, set }: Pick<FormProps, 'templates'> & Pick<PartProps, 'set'>) {
  const words = useWords(statusPageWords)
  const [chosen, setChosen] = useState('')
  const choose = (id: string) => {
    setChosen(id)
    const template = templates.find((one) => String(one.id) === id)
    if (template === undefined) return
    const { title: name, status, impact, component_ids: componentIds, body: message } = template
    set({ name, status, impact, componentIds, message, affected: noAffected, isMaintenance: isOfMaintenance(status) })
  }
  return (
    <ChoiceField
      label={words.fromTemplate}
      name="template"
      value={chosen}
      options={[{ id: '', name: words.noTemplate }, ...templates]}
      set={choose}
    />
  )
}

function Kind({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  const options = statusesOf(draft.isMaintenance)
  return (
    <>
      <CheckField
        label={words.isMaintenance}
        checked={draft.isMaintenance}
        set={(isMaintenance) =>
          set({
            isMaintenance,
            impact: isMaintenance ? 'none' : 'minor',
            status: isMaintenance ? 'scheduled' : 'investigating',
          })
        }
      />
      <ChoiceField
        label={words.status}
        name="status"
        value={draft.status}
        options={options.map((id) => ({ id, name: words.incidentStatuses[id] }))}
        set={(wanted) => set({ status: options.find((one) => one === wanted) ?? draft.status })}
      />
    </>
  )
}

function Times({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  const { zone } = useReader()
  return (
    <div className="moments">
      <MomentField
        {...{ label: words.from, name: 'scheduled_for', value: draft.from, zone }}
        change={(from) => set({ from })}
      />
      <MomentField
        {...{ label: words.until, name: 'scheduled_until', value: draft.until, zone }}
        change={(until) => set({ until })}
      />
    </div>
  )
}

function Impact({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  return (
    <ChoiceField
      label={words.impact}
      name="impact"
      value={draft.impact}
      options={impacts.map((id) => ({ id, name: words.impacts[id] }))}
      set={(wanted) => set({ impact: impacts.find((impact) => impact === wanted) ?? 'minor' })}
    />
  )
}

function FirstMessage({ draft, set, components }: PartProps & Pick<FormProps, 'components'>) {
  const words = useWords(statusPageWords)
  const chosen = components.filter(({ id }) => draft.componentIds.includes(id))
  return (
    <>
      <LinesField
        label={words.firstMessage}
        name="body"
        hint={words.publicHint}
        value={draft.message}
        maxLength={10_000}
        set={(message) => set({ message })}
      />
      {draft.isMaintenance ? null : (
        <AffectedFields
          legend={words.saidOf}
          hint={words.saidOfHint}
          unsaid={words.asChecked}
          components={chosen}
          affected={draft.affected}
          set={(affected) => set({ affected })}
        />
      )}
    </>
  )
}
