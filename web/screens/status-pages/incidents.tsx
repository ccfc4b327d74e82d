import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { Things } from '../../parts/things.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { IncidentForm } from './incident-form.tsx'
import type { ShownComponent, ShownIncident, ShownPage, ShownTemplate } from './queries.ts'
import { UpdateDialog } from './update-dialog.tsx'
import { statusPageWords } from './words.ts'

interface IncidentsProps {
  readonly page: ShownPage
  readonly incidents: readonly ShownIncident[]
  readonly components: readonly ShownComponent[]
  readonly templates: readonly ShownTemplate[]
}

/** The incident to say more of, and the status that is proposed. */
interface Said {
  readonly incident: ShownIncident
  readonly status: ShownIncident['status']
}

export function Incidents({ page, incidents, components, templates }: IncidentsProps) {
  const words = useWords(statusPageWords)
  const format = useFormat()
  const { id: pageId, publish_after_seconds: delay } = page
  const [said, setSaid] = useState<Said | null>(null)
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
            <p>{words.noIncidentsText(delay === 0 ? null : format.duration(delay))}</p>
          </>
        }
        show={(incident) => <Shown incident={incident} />}
        more={(incident) => <Acts incident={incident} say={(status) => setSaid({ incident, status })} />}
        form={(incident, closed) => <IncidentForm {...{ pageId, incident, components, templates, closed }} />}
        removeText={words.removeIncident}
      />
      {said === null ? null : <UpdateDialog {...said} components={components} closed={() => setSaid(null)} />}
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

interface ActsProps {
  readonly incident: ShownIncident
  readonly say: (status: ShownIncident['status']) => void
}

function Acts({ incident, say }: ActsProps) {
  const words = useWords(statusPageWords)
  const publishing = useChange()
  if (incident.permissions['update'] !== true) return null
  const publish = () => publishing.mutate(callTo('POST', `/status_page_incidents/${incident.id}/publish`))
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
      {incident.status === 'resolved' ? (
        <button
          type="button"
          className="button small"
          aria-label={words.postmortemNamed(incident.name)}
          onClick={() => say('postmortem')}
        >
          {words.incidentStatuses.postmortem}
        </button>
      ) : null}
      <button
        type="button"
        className="button small"
        aria-label={words.updateNamed(incident.name)}
        onClick={() => say(incident.status)}
      >
        {words.update}
      </button>
    </>
  )
}
