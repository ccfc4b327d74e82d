import { useState } from 'react'
import { Link } from 'wouter'
import type { ServiceType } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import type { ApiCall } from '../../parts/code-text.ts'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { obstaclesIn } from '../../parts/obstacles.ts'
import { useWords } from '../../words/words.ts'
import { portMoved } from './address-of-type.ts'
import { DefinitionFields } from './definition-fields.tsx'
import { bodyOf, type Draft, draftOf, type Formats, isHeartbeat, isSecret, newBodyOf } from './draft.ts'
import { formatsOf, type OfferedGroup } from './edit-queries.ts'
import { HeartbeatFields, heartbeatSettings } from './heartbeat-fields.tsx'
import { heartbeatWords } from './heartbeat-words.ts'
import { NotificationFields } from './notification-fields.tsx'
import { ParentFields } from './parent-fields.tsx'
import { SettingFields } from './setting-fields.tsx'
import { StationFields } from './station-fields.tsx'
import { TrialAnswers } from './trial-answers.tsx'
import { type Saved, useSaving } from './use-saving.ts'
import { useTrial } from './use-trial.ts'
import { editWords } from './words.ts'

interface FormProps {
  /** Null: a new one. */
  readonly id: number | null
  readonly initial: Draft
  readonly types: readonly ServiceType[]
  readonly groups: readonly OfferedGroup[]
  /** A clone: what nobody reads is not copied. */
  readonly isClone?: boolean
}

/** The two names of a service of DNS. */
function namesOf({ address, settings }: Draft, formats: Formats) {
  const isDns = formats.some(({ setting_id }) => setting_id === 'query_name')
  return isDns ? { server: address, name: String(settings['query_name'] ?? '') } : null
}

function callOf(id: number | null, draft: Draft, formats: Formats): ApiCall {
  return id === null
    ? callTo('POST', '/services', newBodyOf(draft, formats))
    : callTo('PUT', `/services/${id}`, bodyOf(draft, formats))
}

export function ServiceForm({ id, initial, types, groups, isClone = false }: FormProps) {
  const words = useWords(editWords)
  const ofHeartbeat = useWords(heartbeatWords)
  // The form's initial values. Data that are read again meanwhile do not count as a change.
  const [first] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const formats = formatsOf(types, draft.type_id)
  const { save, isSaving, saved, error: saveError, forget, conflict, show, managed } = useSaving(id, initial, formats)
  const { trial, ...testing } = useTrial()
  const error = saveError ?? trial.error
  const isDirty = saved === null && JSON.stringify(draft) !== JSON.stringify(first)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  // The Enter key leaves the address in the field.
  const moved = () => {
    const inPlace = portMoved(draft, formats)
    setDraft(inPlace)
    return inPlace
  }
  const submit = (settle: () => void, isAnswer = conflict?.isShown ?? false) => {
    testing.forget()
    save(moved(), isAnswer, settle)
  }
  const test = () => {
    forget()
    const asked = moved()
    const { name: _unnamed, ...body } =
      id === null ? newBodyOf(asked, formats) : { ...bodyOf(asked, formats), type_id: asked.type_id, service_id: id }
    testing.start(body)
  }
  if (saved !== null) return <SavedWithWarnings saved={saved} />
  const type = types.find((one) => one.id === draft.type_id)
  return (
    <>
      <Form
        className="stack"
        outcome={{ error, isPending: isSaving }}
        submit={submit}
        resolving={
          conflict === null
            ? null
            : {
                conflict,
                show: (isNewer) => {
                  setDraft(isNewer ? draftOf(conflict.newer.object, formats) : conflict.state)
                  show(isNewer)
                },
                saveMine: (settle) => submit(settle, true),
              }
        }
        isUnsaved={isDirty}
        managed={managed}
        call={callOf(id, draft, formats)}
        action={isSaving ? words.saving : words.save}
        look="primary"
        more={
          <>
            {isHeartbeat(draft) ? null : (
              <button type="button" className="button" aria-disabled={trial.state === 'running'} onClick={test}>
                {words.test}
              </button>
            )}
            <Link href={id === null ? '/services' : `/services/${id}`} className="button">
              {words.cancel}
            </Link>
          </>
        }
      >
        {isClone && formats.some(isSecret) ? <p className="notice">{words.cloneSecrets}</p> : null}
        <DefinitionFields {...{ draft, change, types, groups, isNew: id === null }} />
        <section className="card">
          <header>
            <h2>{isHeartbeat(draft) ? ofHeartbeat.title : words.settings}</h2>
          </header>
          <div className="inside stack">
            {isHeartbeat(draft) ? (
              <HeartbeatFields
                formats={formats}
                settings={draft.settings}
                change={(settings) => change({ settings })}
              />
            ) : null}
            <SettingFields
              formats={isHeartbeat(draft) ? formats.filter((one) => !heartbeatSettings.has(one.setting_id)) : formats}
              settings={draft.settings}
              isNew={id === null}
              change={(settings) => change({ settings })}
            />
          </div>
        </section>
        {isHeartbeat(draft) ? null : (
          <StationFields draft={draft} change={change} category={type?.category_id ?? 'default'} />
        )}
        <NotificationFields draft={draft} change={change} />
        <ParentFields
          id={id}
          draft={draft}
          change={change}
          ownerId={groups.find((group) => group.id === draft.group_id)?.owner_id ?? null}
        />
      </Form>
      <TrialAnswers trial={trial} asked={namesOf(draft, formats)} cancel={testing.cancel} />
    </>
  )
}

function SavedWithWarnings({ saved }: { readonly saved: Saved }) {
  const words = useWords(editWords)
  return (
    <div className="warnings stack" role="alert">
      <p>
        <Icon name="warning" /> {words.saved}
      </p>
      <ul>
        {obstaclesIn(saved.warnings).map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <p>
        <Link href={`/services/${saved.id}`} className="button primary">
          {words.toService}
        </Link>
      </p>
    </div>
  )
}
