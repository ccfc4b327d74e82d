import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { LinesField, TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import { type ShownPlan, useServiceNames, useTerms } from './report-queries.ts'
import { everything, requestedScope, type Scope, ScopeFields, scopeOf } from './scope-fields.tsx'
import { reportWords } from './words.ts'

const summaries = ['enabled', 'disabled', 'only'] as const

interface Draft {
  readonly name: string
  readonly description: string
  readonly emails: string
  readonly sectionIds: readonly string[]
  readonly planIds: readonly string[]
  readonly summary: ShownPlan['summary']
  readonly hasArchived: boolean
  readonly scope: Scope
}

function draftOf(plan: Omit<ShownPlan, 'permissions'> | null): Draft {
  if (plan === null) {
    const sectionIds = ['checks_summary', 'service_level_summary', 'performance_by_hour', 'performance_by_week_day']
    const texts = { name: '', description: '', emails: '' }
    return { ...texts, sectionIds, planIds: [], summary: 'enabled', hasArchived: false, scope: everything }
  }
  return {
    name: plan.name,
    description: plan.description,
    emails: plan.email_addresses.join('\n'),
    sectionIds: plan.section_ids,
    planIds: plan.reporting_plan_ids,
    summary: plan.summary,
    hasArchived: plan.archived_services,
    scope: scopeOf(plan.requested_scope),
  }
}

function bodyOf({ name, description, emails, sectionIds, planIds, summary, hasArchived, scope }: Draft) {
  const requested = requestedScope(scope)
  return {
    name,
    description,
    email_addresses: emails.split(/[\s,;]+/).filter((address) => address !== ''),
    section_ids: sectionIds,
    reporting_plan_ids: planIds,
    summary,
    archived_services: hasArchived,
    ...(requested === undefined ? {} : { requested_scope: requested }),
  }
}

/** Adds a plan of reports, or changes one. */
export function PlanForm({ plan, closed }: { readonly plan: ShownPlan | null; readonly closed: () => void }) {
  const words = useWords(reportWords)
  const [draft, setDraft] = useState(() => draftOf(plan))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { data: names = new Map<number, string>() } = useServiceNames(plan?.requested_scope.services.by_id ?? [])
  const path = plan === null ? null : (`/report_templates/${plan.id}` as const)
  return (
    <EditDialog
      className="report-dialog"
      title={plan === null ? words.addPlan : words.editPlan}
      action={words.save}
      making={callTo('POST', '/report_templates', bodyOf(draft))}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} maxLength={200} set={(name) => set({ name })} />
      <ScopeFields
        scope={draft.scope}
        wasKept={plan !== null && scopeOf(plan.requested_scope).kind === 'kept'}
        names={names}
        set={(scope) => set({ scope })}
      />
      <Choices label={words.when} name="reporting_plans" chosen={draft.planIds} set={(planIds) => set({ planIds })} />
      <LinesField
        label={words.emails}
        name="email_addresses"
        hint={words.emailsHint}
        rows={2}
        value={draft.emails}
        set={(emails) => set({ emails })}
      />
      <details>
        <summary>{words.sections}</summary>
        <div className="stack">
          <Further draft={draft} set={set} />
          {plan === null || plan.weekly_suspensions.length === 0 ? null : (
            <p className="hint">{words.leftOut(plan.weekly_suspensions.length)}</p>
          )}
        </div>
      </details>
    </EditDialog>
  )
}

interface FurtherProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function Further({ draft, set }: FurtherProps) {
  const words = useWords(reportWords)
  return (
    <>
      <Choices
        label={words.sections}
        name="report_sections"
        chosen={draft.sectionIds}
        set={(sectionIds) => set({ sectionIds })}
      />
      <label className="field">
        {words.summary}
        <select
          value={draft.summary}
          onChange={({ target }) => set({ summary: summaries.find((one) => one === target.value) ?? 'enabled' })}
        >
          {summaries.map((one) => (
            <option key={one} value={one}>
              {words.summaries[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={draft.hasArchived}
          onChange={({ target }) => set({ hasArchived: target.checked })}
        />
        {words.archived}
      </label>
      <label className="field">
        {words.description}
        <textarea
          rows={2}
          maxLength={5000}
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
        <span className="hint">{words.descriptionHint}</span>
      </label>
    </>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly name: 'report_sections' | 'reporting_plans'
  readonly chosen: readonly string[]
  readonly set: (chosen: readonly string[]) => void
}

/** Values with an order of their own; others keep the dictionary's order. */
const order = ['daily', 'weekly', 'monthly']

/** Elements of a dictionary, each of them on or off. */
function Choices({ label, name, chosen, set }: ChoicesProps) {
  const { data: terms = [] } = useTerms(name)
  return (
    <fieldset>
      <legend className="label">{label}</legend>
      <div className="row">
        {terms
          .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
          .map((term) => (
            <label key={term.id} className="row">
              <input
                type="checkbox"
                checked={chosen.includes(term.id)}
                onChange={({ target }) =>
                  set(target.checked ? [...chosen, term.id] : chosen.filter((id) => id !== term.id))
                }
              />
              {term.name}
            </label>
          ))}
      </div>
    </fieldset>
  )
}
