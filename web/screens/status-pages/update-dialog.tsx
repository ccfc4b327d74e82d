import { useState } from 'react'
import type { StatusPageIncident } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { ChoiceField, LinesField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/words.ts'
import { type Affected, AffectedFields } from './affected-fields.tsx'
import { statusesOf } from './incident-statuses.ts'
import type { ShownComponent, ShownIncident } from './queries.ts'
import { statusPageWords } from './words.ts'

interface UpdateProps {
  readonly incident: ShownIncident
  readonly status: StatusPageIncident['status']
  readonly components: readonly ShownComponent[]
  readonly closed: () => void
}

/** The statuses that were said last of each component. */
function saidBefore({ updates }: ShownIncident): Affected {
  const last = new Map(
    updates.flatMap(({ affected_components: affected }) => affected.map((one) => [one.component_id, one])),
  )
  return [...last.values()]
}

/** One more message about an incident, with the status of each component from now on. */
export function UpdateDialog({ incident, status: first, components, closed }: UpdateProps) {
  const words = useWords(statusPageWords)
  const statuses = statusesOf(incident.is_maintenance)
  const [status, setStatus] = useState<string>(first)
  const [body, setBody] = useState('')
  const [affected, setAffected] = useState(() => saidBefore(incident))
  const isOver = status === 'resolved' || status === 'postmortem' || status === 'completed'
  const isAsked = !incident.is_maintenance && !isOver
  const meant = components.filter(
    ({ id }) => incident.component_ids.includes(id) || affected.some((one) => one.component_id === id),
  )
  return (
    <FormDialog
      title={first === 'postmortem' ? words.postmortemNamed(incident.name) : words.updateNamed(incident.name)}
      action={words.save}
      request={() =>
        callTo('POST', `/status_page_incidents/${incident.id}/updates`, {
          status,
          body,
          ...(isAsked && affected.length > 0 ? { affected_components: affected } : {}),
        })
      }
      closed={closed}
    >
      <ChoiceField
        label={words.status}
        name="status"
        value={status}
        options={statuses.map((id) => ({ id, name: words.incidentStatuses[id] }))}
        set={setStatus}
      />
      <LinesField
        label={words.body}
        name="body"
        hint={words.publicHint}
        rows={status === 'postmortem' ? 10 : 4}
        value={body}
        maxLength={10_000}
        set={setBody}
      />
      {isAsked ? (
        <AffectedFields
          legend={words.saidOf}
          hint={words.saidOfHint}
          unsaid={words.asChecked}
          components={meant.length === 0 ? components : meant}
          affected={affected}
          set={setAffected}
        />
      ) : null}
    </FormDialog>
  )
}
