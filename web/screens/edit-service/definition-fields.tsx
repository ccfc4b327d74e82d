import { useState } from 'react'
import { Link } from 'wouter'
import type { ServiceType } from '../../api/answers.ts'
import { isUnclear, proposalFor } from '../../parts/proposal.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { asksNames, ofOtherType, pastedInto, portMoved } from './address-of-type.ts'
import { type Draft, isHeartbeat } from './draft.ts'
import { formatsOf, type OfferedGroup, useAvailableTypes } from './edit-queries.ts'
import { Field } from './field.tsx'
import { heartbeatWords } from './heartbeat-words.ts'
import { IntervalField } from './interval-field.tsx'
import { TypeField } from './type/type-field.tsx'
import { baseOf } from './type/type-search.ts'
import { editWords } from './words.ts'

interface DefinitionProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly types: readonly ServiceType[]
  readonly groups: readonly OfferedGroup[]
  readonly isNew: boolean
}

/** The service's address, name, interval and group. */
export function DefinitionFields({ draft, change, types, groups, isNew }: DefinitionProps) {
  const words = useWords(editWords)
  const ofHeartbeat = useWords(heartbeatWords)
  const parts = useWords(partWords)
  const available = useAvailableTypes(draft.group_id)
  const [isNamed, setNamed] = useState(draft.name !== '')
  const [isTyped, setTyped] = useState(draft.address !== '')
  const [pasted, setPasted] = useState('')
  const ofType = available.data?.find((one) => one.service_type_id === draft.type_id)
  const paste = (text: string) => {
    setPasted(text)
    const proposal = proposalFor(text)
    // An address that was read from the beginning of the text would be taken for its meaning.
    if (isUnclear(text) && !asksNames(formatsOf(types, draft.type_id)))
      change({ address: '', ...(isNamed ? {} : { name: '' }) })
    if (proposal === null) return
    if (isTyped) {
      change({
        ...(isNamed ? {} : { name: proposal.name }),
        ...pastedInto(draft, text, formatsOf(types, draft.type_id)),
      })
      return
    }
    const isOffered = types.some(({ id }) => id === proposal.typeId)
    change({
      address: proposal.address,
      ...(isNamed ? {} : { name: proposal.name }),
      ...(!isOffered ? {} : { type_id: proposal.typeId, settings: proposal.settings }),
    })
  }
  // For DNS the typed text is the domain to query; a name server is a separate field.
  const choose = (typeId: string) => {
    setTyped(true)
    // The same checks over another protocol of the internet.
    if (baseOf(typeId) === baseOf(draft.type_id)) return change({ type_id: typeId, sensor_ids: [] })
    change({ type_id: typeId, sensor_ids: [], ...ofOtherType(draft, pasted, typeId, formatsOf(types, typeId)) })
  }
  const leaveAddress = () => {
    const inPlace = portMoved(draft, formatsOf(types, draft.type_id))
    if (inPlace !== draft) change({ address: inPlace.address, settings: inPlace.settings })
  }
  const type = types.find(({ id }) => id === draft.type_id)
  const isDns = asksNames(formatsOf(types, draft.type_id))
  const isPastedUnclear = isUnclear(pasted)
  return (
    <section className="card">
      <header>
        <h2>{words.definition}</h2>
      </header>
      {available.error === null ? null : <Trouble error={available.error} again={() => void available.refetch()} />}
      <div className="inside stack">
        {isNew ? (
          <Field
            name="pasted"
            label={words.pasted}
            hint={
              <>
                {words.pastedHint}
                <span role="status" className={isPastedUnclear ? 'problem' : undefined}>
                  {isPastedUnclear ? words.pastedUnclear : null}
                </span>
              </>
            }
          >
            {(control) => (
              <input
                type="text"
                className="pasted"
                autoComplete="off"
                spellCheck={false}
                // The screen is opened to write here.
                // biome-ignore lint/a11y/noAutofocus: the first field of a form that somebody asked for
                autoFocus
                onChange={({ target }) => paste(target.value)}
                {...control}
                aria-invalid={isPastedUnclear || control['aria-invalid']}
              />
            )}
          </Field>
        ) : null}
        <div className="fields">
          <TypeField
            typeId={draft.type_id}
            types={types}
            available={available.data}
            isNew={isNew}
            hint={isNew ? (isHeartbeat(draft) ? ofHeartbeat.pastedHint : undefined) : words.typeFixed}
            choose={choose}
          />
          {isHeartbeat(draft) ? null : (
            <Field
              name="address"
              label={isDns ? words.nameServer : words.address}
              isRequired
              hint={
                isDns
                  ? words.nameServerHint
                  : type === undefined || type.address_prefix === ''
                    ? undefined
                    : words.addressPrefix(type.address_prefix)
              }
            >
              {(control) => (
                <input
                  type="text"
                  autoComplete="off"
                  spellCheck={false}
                  value={draft.address}
                  onChange={({ target }) => change({ address: target.value })}
                  onBlur={leaveAddress}
                  {...control}
                />
              )}
            </Field>
          )}
          <Field name="name" label={words.name} isRequired>
            {(control) => (
              <input
                type="text"
                autoComplete="off"
                value={draft.name}
                onChange={({ target }) => {
                  setNamed(target.value !== '')
                  change({ name: target.value })
                }}
                {...control}
              />
            )}
          </Field>
          <Field
            name="group_id"
            label={words.group}
            aside={
              <Link href="/account/groups" className="hint">
                {parts.manageGroups}
              </Link>
            }
          >
            {(control) => (
              <select
                {...control}
                value={draft.group_id ?? ''}
                onChange={({ target }) => change({ group_id: Number(target.value) })}
              >
                {groups.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {isHeartbeat(draft) ? null : (
            <IntervalField
              interval={draft.interval}
              shortest={ofType?.minimum_interval ?? 1}
              standard={ofType?.default_interval ?? null}
              change={(interval) => change({ interval })}
            />
          )}
          <TagsField tags={draft.tags} change={(tags) => change({ tags })} />
          <Field name="description" label={words.description}>
            {(control) => (
              <textarea
                rows={2}
                value={draft.description}
                onChange={({ target }) => change({ description: target.value })}
                {...control}
              />
            )}
          </Field>
        </div>
      </div>
    </section>
  )
}

interface TagsProps {
  readonly tags: readonly string[]
  readonly change: (tags: readonly string[]) => void
}

/** Names separated by commas; what is typed stays as it is. */
function TagsField({ tags, change }: TagsProps) {
  const words = useWords(editWords)
  const [text, setText] = useState(tags.join(', '))
  return (
    <Field name="tags" label={words.tags} hint={words.tagsHint}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            change(target.value.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])))
          }}
          {...control}
        />
      )}
    </Field>
  )
}
