import type { ReportTemplate } from '../../api/answers.ts'
import { useGroupNames } from '../../parts/group-names.ts'
import { ServiceChoice } from '../../parts/service-choice.tsx'
import { useWords } from '../../words/words.ts'
import { reportWords } from './words.ts'

const kinds = ['all', 'groups', 'services'] as const
type RequestedScope = ReportTemplate['requested_scope']

/** The scope of a plan, as far as the form can express it. */
export interface Scope {
  /** `kept`: as it was written through the API. */
  readonly kind: (typeof kinds)[number] | 'kept'
  readonly groupIds: readonly number[]
  /** Names by identifier. */
  readonly services: ReadonlyMap<number, string>
  readonly hasGroupPoints: boolean
}

/** A new plan is about everything. */
export const everything: Scope = { kind: 'all', groupIds: [], services: new Map(), hasGroupPoints: true }

export function scopeOf({ services, groups, accounts }: RequestedScope): Scope {
  const own = { groupIds: services.by_group_id, services: new Map(services.by_id.map((id) => [id, `#${id}`])) }
  const isBeyond = accounts.all || accounts.by_id.length + services.by_owner_id.length + groups.by_owner_id.length > 0
  const isSame = groups.by_id.toSorted().join() === services.by_group_id.toSorted().join()
  if (isBeyond) return { kind: 'kept', ...own, hasGroupPoints: false }
  if (services.all && groups.by_id.length === 0) return { kind: 'all', ...own, hasGroupPoints: groups.all }
  if (groups.all || services.all) return { kind: 'kept', ...own, hasGroupPoints: false }
  if (services.by_id.length === 0 && services.by_group_id.length > 0 && (isSame || groups.by_id.length === 0))
    return { kind: 'groups', ...own, hasGroupPoints: isSame }
  if (services.by_group_id.length + groups.by_id.length === 0 && services.by_id.length > 0)
    return { kind: 'services', ...own, hasGroupPoints: false }
  return { kind: 'kept', ...own, hasGroupPoints: false }
}

/** Undefined: it stays as it is. */
export function requestedScope({ kind, groupIds, services, hasGroupPoints }: Scope): RequestedScope | undefined {
  const none = { all: false, by_owner_id: [], by_group_id: [], by_id: [] }
  const noGroups = { all: false, by_owner_id: [], by_id: [] }
  const accounts = { all: false, by_id: [] }
  if (kind === 'kept') return undefined
  if (kind === 'all')
    return { services: { ...none, all: true }, groups: { ...noGroups, all: hasGroupPoints }, accounts }
  if (kind === 'services') return { services: { ...none, by_id: [...services.keys()] }, groups: noGroups, accounts }
  const groups = { ...noGroups, by_id: hasGroupPoints ? [...groupIds] : [] }
  return { services: { ...none, by_group_id: [...groupIds] }, groups, accounts }
}

interface ScopeProps {
  readonly scope: Scope
  /** Whether what is kept may be chosen. */
  readonly wasKept: boolean
  readonly names: ReadonlyMap<number, string>
  readonly set: (scope: Scope) => void
}

export function ScopeFields({ scope, wasKept, names, set }: ScopeProps) {
  const words = useWords(reportWords)
  const known = new Map([...scope.services].map(([id, name]) => [id, names.get(id) ?? name]))
  return (
    <fieldset>
      <legend className="label">{words.about}</legend>
      <div className="row">
        {[...kinds, ...(wasKept ? (['kept'] as const) : [])].map((kind) => (
          <label key={kind} className="row">
            <input type="radio" name="scope" checked={scope.kind === kind} onChange={() => set({ ...scope, kind })} />
            {words.scopes[kind]}
          </label>
        ))}
      </div>
      {scope.kind === 'kept' ? <p className="hint">{words.keptHint}</p> : null}
      {scope.kind === 'groups' ? <Groups scope={scope} set={set} /> : null}
      {scope.kind === 'services' ? (
        <ServiceChoice chosen={known} choose={(services) => set({ ...scope, services })} conditions="" />
      ) : null}
      {scope.kind === 'all' || scope.kind === 'groups' ? (
        <label className="row">
          <input
            type="checkbox"
            checked={scope.hasGroupPoints}
            onChange={({ target }) => set({ ...scope, hasGroupPoints: target.checked })}
          />
          {words.groupPoints}
        </label>
      ) : null}
    </fieldset>
  )
}

function Groups({ scope, set }: Pick<ScopeProps, 'scope' | 'set'>) {
  const words = useWords(reportWords)
  const groups = useGroupNames()
  const toggle = (id: number) => {
    const groupIds = scope.groupIds.includes(id) ? scope.groupIds.filter((one) => one !== id) : [...scope.groupIds, id]
    set({ ...scope, groupIds })
  }
  return (
    <ul className="choice-list" aria-label={words.scopes.groups}>
      {groups.map(({ id, name }) => (
        <li key={id}>
          <label className="row">
            <input type="checkbox" checked={scope.groupIds.includes(id)} onChange={() => toggle(id)} />
            <span>{name}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}
