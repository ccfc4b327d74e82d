import { useGroupNames } from '../../parts/group-names.ts'
import { ServiceChoice } from '../../parts/service-choice.tsx'
import { useWords } from '../../words/words.ts'
import { suspendable, useTags } from './calendar-queries.ts'
import { calendarWords } from './words.ts'

const kinds = ['services', 'group', 'tag', 'all'] as const

/** The services that a suspension is for. */
export interface Scope {
  readonly kind: (typeof kinds)[number]
  readonly services: ReadonlyMap<number, string>
  readonly groupId: number | null
  readonly tag: string | null
  /** A wide suspension: services that come later are covered too. */
  readonly isFollowing: boolean
}

/** The group or the tag of a wide suspension, both null for the whole account; null: it is none, or not chosen yet. */
export function wideOf({ kind, groupId, tag, isFollowing }: Scope) {
  if (!isFollowing || kind === 'services') return null
  if (kind === 'group') return groupId === null ? null : { group_id: groupId }
  if (kind === 'tag') return tag === null ? null : { tag }
  return {}
}

/** The members of a bulk creation; null: nothing is chosen yet. */
export function selectionOf({ kind, services, groupId, tag }: Scope) {
  if (kind === 'all') return { all: true }
  if (kind === 'group') return groupId === null ? null : { group_ids: [groupId] }
  if (kind === 'tag') return tag === null ? null : { tags: [tag] }
  return services.size === 0 ? null : { service_ids: [...services.keys()] }
}

const idsAsked = 200

/** Which list of the API holds the services of a selection; null: nothing is chosen yet. */
export function conditionsOf({ kind, services, groupId, tag }: Scope): string | null {
  if (kind === 'all') return suspendable
  if (kind === 'group') return groupId === null ? null : `${suspendable}&group_id=${groupId}`
  if (kind === 'tag') return tag === null ? null : `${suspendable}&tags=${encodeURIComponent(tag)}`
  const ids = [...services.keys()].slice(0, idsAsked).map((id) => `id=${id}`)
  return ids.length === 0 ? null : `${suspendable}&${ids.join('&')}`
}

interface ScopeProps {
  readonly scope: Scope
  readonly set: (part: Partial<Scope>) => void
}

export function ScopeField({ scope, set }: ScopeProps) {
  const words = useWords(calendarWords)
  return (
    <fieldset className="scope">
      <legend className="label">{words.which}</legend>
      <div className="row">
        {kinds.map((kind) => (
          <label key={kind} className="row">
            <input type="radio" name="scope" checked={scope.kind === kind} onChange={() => set({ kind })} />
            {words.scopes[kind]}
          </label>
        ))}
      </div>
      {scope.kind === 'services' ? (
        <ServiceChoice chosen={scope.services} choose={(services) => set({ services })} conditions={suspendable} />
      ) : null}
      {scope.kind === 'group' ? <GroupSelect scope={scope} set={set} /> : null}
      {scope.kind === 'tag' ? <TagSelect scope={scope} set={set} /> : null}
      {scope.kind === 'services' ? null : (
        <div className="follow">
          <label className="row">
            <input
              type="checkbox"
              checked={scope.isFollowing}
              onChange={({ target }) => set({ isFollowing: target.checked })}
            />
            {words.follow[scope.kind]}
          </label>
          <p className="hint">{scope.isFollowing ? words.followHint : words.copyHint}</p>
        </div>
      )}
    </fieldset>
  )
}

function GroupSelect({ scope, set }: ScopeProps) {
  const words = useWords(calendarWords)
  const data = useGroupNames()
  return (
    <select
      aria-label={words.group}
      value={scope.groupId ?? ''}
      onChange={({ target }) => set({ groupId: target.value === '' ? null : Number(target.value) })}
    >
      <option value="">{data.length === 0 ? words.noGroups : '–'}</option>
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function TagSelect({ scope, set }: ScopeProps) {
  const words = useWords(calendarWords)
  const { data = [] } = useTags()
  return (
    <select
      aria-label={words.tag}
      value={scope.tag ?? ''}
      onChange={({ target }) => set({ tag: target.value === '' ? null : target.value })}
    >
      <option value="">{data.length === 0 ? words.noTags : '–'}</option>
      {data.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
