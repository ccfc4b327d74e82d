import { useState } from 'react'
import { ChoiceField, LinesField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Things } from '../../parts/things.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { IncidentForm } from './incident-form.tsx'
import type { ShownComponent, ShownIncident } from './queries.ts'
import { statusPageWords } from './words.ts'

interface IncidentsProps {
  readonly pageId: number
  readonly incidents: readonly ShownIncident[]
  readonly components: readonly ShownComponent[]
}

export function Incidents({ pageId, incidents, components }: IncidentsProps) {
  const words = useWords(statusPageWords)
  const [said, setSaid] = useState<ShownIncident | null>(null)
  return (
    <>
      <Things
        id="incidents"
        title={words.incidents}
        add={words.addIncident}
        collection="/status_page_incidents"
        things={incidents}
        empty={
          <>
            <b>{words.noIncidents}</b>
            <p>{words.noIncidentsText}</p>
          </>
        }
        show={(incident) => <Shown incident={incident} />}
        more={(incident) => <Acts incident={incident} say={() => setSaid(incident)} />}
        form={(incident, closed) => <IncidentForm {...{ pageId, incident, components, closed }} />}
        removeText={words.removeIncident}
      />
      {said === null ? null : <UpdateDialog incident={said} closed={() => setSaid(null)} />}
    </>
  )
}

function Shown({ incident }: { readonly incident: ShownIncident }) {
  const words = useWords(statusPageWords)
  const format = useFormat()
  const { name, status, is_published: isPublished, started_at: began, scheduled_for: planned, updates } = incident
  const last = updates.at(-1)
  const facts = [...(isPublished ? [] : [words.draft]), words.incidentStatuses[status], format.moment(planned ?? began)]
  return (
    <>
      <b>{name}</b>
      <span className="dim">{facts.join(' · ')}</span>
      {last === undefined ? null : <span>{last.body}</span>}
    </>
  )
}

function Acts({ incident, say }: { readonly incident: ShownIncident; readonly say: () => void }) {
  const words = useWords(statusPageWords)
  const publishing = useChange()
  if (incident.permissions['update'] !== true) return null
  const publish = () => publishing.mutate({ method: 'POST', path: `/status_page_incidents/${incident.id}/publish` })
  return (
    <>
      {incident.is_published ? null : (
        <button
          type="button"
          className="button small primary"
          aria-label={words.publishNamed(incident.name)}
          disabled={publishing.isPending}
          onClick={publish}
        >
          {words.publish}
        </button>
      )}
      <button type="button" className="button small" aria-label={words.updateNamed(incident.name)} onClick={say}>
        {words.update}
      </button>
    </>
  )
}

const ofIncidents = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const
const ofMaintenance = ['scheduled', 'in_progress', 'verifying', 'completed'] as const

function UpdateDialog({ incident, closed }: { readonly incident: ShownIncident; readonly closed: () => void }) {
  const words = useWords(statusPageWords)
  const statuses = incident.is_maintenance ? ofMaintenance : ofIncidents
  const [status, setStatus] = useState<string>(incident.status)
  const [body, setBody] = useState('')
  return (
    <FormDialog
      title={words.updateNamed(incident.name)}
      action={words.save}
      request={() => ({
        method: 'POST',
        path: `/status_page_incidents/${incident.id}/updates`,
        body: { status, body },
      })}
      closed={closed}
    >
      <ChoiceField
        label={words.status}
        name="status"
        value={status}
        options={statuses.map((id) => ({ id, name: words.incidentStatuses[id] }))}
        set={setStatus}
      />
      <LinesField label={words.body} name="body" value={body} maxLength={10_000} set={setBody} />
    </FormDialog>
  )
}
