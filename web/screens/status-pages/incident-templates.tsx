import { useState } from 'react'
import type { StatusPageTemplate } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { ChoiceField, LinesField, TextField } from '../../parts/fields.tsx'
import { Picks } from '../../parts/on-call/picks.tsx'
import { Things } from '../../parts/things.tsx'
import { useWords } from '../../words/words.ts'
import { allStatuses, impacts, isOfMaintenance } from './incident-statuses.ts'
import type { ShownComponent, ShownTemplate } from './queries.ts'
import { statusPageWords } from './words.ts'

const collection = '/status_page_incident_templates'

interface TemplatesProps {
  readonly pageId: number
  readonly templates: readonly ShownTemplate[]
  readonly components: readonly ShownComponent[]
}

/** Prepared incidents, for those who are woken at four in the morning. */
export function IncidentTemplates({ pageId, templates, components }: TemplatesProps) {
  const words = useWords(statusPageWords)
  return (
    <Things
      id="templates"
      title={words.templates}
      add={words.addTemplate}
      collection={collection}
      things={templates}
      empty={
        <>
          <b>{words.noTemplates}</b>
          <p>{words.noTemplatesText}</p>
        </>
      }
      show={({ name, title, status, body }) => (
        <>
          <b>{name}</b>
          <span className="dim">
            {title} · {words.incidentStatuses[status]}
          </span>
          {body === '' ? null : <span>{body}</span>}
        </>
      )}
      form={(template, closed) => <TemplateForm {...{ pageId, template, components, closed }} />}
      removeText={words.removeTemplate}
    />
  )
}

function draftOf(template: Partial<StatusPageTemplate>) {
  return {
    name: template.name ?? '',
    title: template.title ?? '',
    body: template.body ?? '',
    status: template.status ?? 'investigating',
    impact: template.impact ?? 'minor',
    componentIds: template.component_ids ?? [],
  }
}

type Draft = ReturnType<typeof draftOf>

const bodyOf = ({ componentIds, ...state }: Draft) => ({ ...state, component_ids: componentIds })

interface FormProps extends Omit<TemplatesProps, 'templates'> {
  /** Null: a new one. */
  readonly template: ShownTemplate | null
  readonly closed: () => void
}

function TemplateForm({ pageId, template, components, closed }: FormProps) {
  const words = useWords(statusPageWords)
  const [draft, setDraft] = useState(() => draftOf(template ?? {}))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = template === null ? null : (`${collection}/${template.id}` as const)
  return (
    <EditDialog
      title={template === null ? words.addTemplate : template.name}
      action={words.save}
      making={callTo('POST', collection, { status_page_id: pageId, ...bodyOf(draft) })}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField
        label={words.name}
        name="name"
        hint={words.templateNameHint}
        value={draft.name}
        maxLength={200}
        set={(name) => set({ name })}
      />
      <TextField
        label={words.incidentTitle}
        name="title"
        hint={words.publicHint}
        value={draft.title}
        maxLength={200}
        set={(title) => set({ title })}
      />
      <LinesField
        label={words.firstMessage}
        name="body"
        hint={words.publicHint}
        value={draft.body}
        maxLength={10_000}
        set={(text) => set({ body: text })}
      />
      <Kind draft={draft} set={set} />
      <Picks
        legend={words.affected}
        name="component_ids"
        all={components}
        chosen={draft.componentIds}
        choose={(componentIds) => set({ componentIds: [...componentIds] })}
      />
    </EditDialog>
  )
}

function Kind({ draft, set }: { readonly draft: Draft; readonly set: (part: Partial<Draft>) => void }) {
  const words = useWords(statusPageWords)
  return (
    <>
      <ChoiceField
        label={words.status}
        name="status"
        value={draft.status}
        options={allStatuses.map((id) => ({ id, name: words.incidentStatuses[id] }))}
        set={(wanted) => set({ status: allStatuses.find((one) => one === wanted) ?? 'investigating' })}
      />
      {isOfMaintenance(draft.status) ? null : (
        <ChoiceField
          label={words.impact}
          name="impact"
          value={draft.impact}
          options={impacts.map((id) => ({ id, name: words.impacts[id] }))}
          set={(wanted) => set({ impact: impacts.find((one) => one === wanted) ?? 'minor' })}
        />
      )}
    </>
  )
}
