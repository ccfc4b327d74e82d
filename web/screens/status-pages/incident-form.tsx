import { useState } from 'react'
import type { StatusPageIncident } from '../../api/answers.ts'
import { iso } from '../../format/zone.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownComponent, ShownIncident } from './queries.ts'
import { statusPageWords } from './words.ts'

const impacts = ['none', 'minor', 'major', 'critical'] as const

function momentOf(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text)
}

function draftOf(incident: Partial<StatusPageIncident>) {
  return {
    name: incident.name ?? '',
    impact: incident.impact ?? 'minor',
    componentIds: incident.component_ids ?? [],
    isMaintenance: incident.is_maintenance ?? false,
    isPublished: incident.is_published ?? false,
    from: momentOf(incident.scheduled_for),
    until: momentOf(incident.scheduled_until),
  }
}

type Draft = ReturnType<typeof draftOf>

interface FormProps {
  readonly pageId: number
  /** Null: a new one. */
  readonly incident: ShownIncident | null
  readonly components: readonly ShownComponent[]
  readonly closed: () => void
}

/** Makes an incident or maintenance, or changes one. */
export function IncidentForm({ pageId, incident, components, closed }: FormProps) {
  const words = useWords(statusPageWords)
  const [draft, setDraft] = useState(() => draftOf(incident ?? {}))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const momentText = (at: number | null) => (at === null ? null : iso(at))
  const body = (state: Draft) => ({
    ...(incident === null ? { status_page_id: pageId, is_maintenance: state.isMaintenance } : {}),
    ...{ name: state.name, impact: state.impact, component_ids: state.componentIds, is_published: state.isPublished },
    ...(state.isMaintenance ? { scheduled_for: momentText(state.from), scheduled_until: momentText(state.until) } : {}),
  })
  const path = incident === null ? null : `/status_page_incidents/${incident.id}`
  return (
    <EditDialog
      title={incident === null ? words.addIncident : incident.name}
      action={words.save}
      collection="/status_page_incidents"
      editing={{ path, state: draft, set: setDraft, read: draftOf, body }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} maxLength={200} set={(name) => set({ name })} />
      {incident === null ? (
        <CheckField
          label={words.isMaintenance}
          checked={draft.isMaintenance}
          set={(isMaintenance) => set({ isMaintenance, impact: isMaintenance ? 'none' : 'minor' })}
        />
      ) : null}
      {draft.isMaintenance ? <Times draft={draft} set={set} /> : <Impact draft={draft} set={set} />}
      <Affected draft={draft} set={set} components={components} />
      <CheckField label={words.publishNow} checked={draft.isPublished} set={(isPublished) => set({ isPublished })} />
    </EditDialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function Times({ draft, set }: PartProps) {
  const words = useWords(statusPageWords)
  const { zone } = useReader()
  return (
    <>
      <MomentField label={words.from} value={draft.from} zone={zone} change={(from) => set({ from })} />
      <MomentField label={words.until} value={draft.until} zone={zone} change={(until) => set({ until })} />
    </>
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

function Affected({ draft, set, components }: PartProps & { readonly components: readonly ShownComponent[] }) {
  const words = useWords(statusPageWords)
  const { componentIds } = draft
  if (components.length === 0) return null
  return (
    <fieldset>
      <legend className="label">{words.affected}</legend>
      {components.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={componentIds.includes(id)}
          set={(isChosen) =>
            set({ componentIds: isChosen ? [...componentIds, id] : componentIds.filter((one) => one !== id) })
          }
        />
      ))}
    </fieldset>
  )
}
