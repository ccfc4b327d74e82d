import { isManagedState, type ManagedState } from '../domain/configuration/managed-key.ts'
import { type Api, listAll, refused } from './api.ts'
import type { Definition, Definitions } from './definitions.ts'
import type { Kind, Model } from './model.ts'

type Shown = Readonly<Record<string, unknown>>

/** An object of the installation. */
export interface Installed {
  readonly kind: Kind
  readonly id: number
  /** Null: it is not managed by this configuration. */
  readonly key: string | null
  /** As the API shows it. */
  readonly row: Shown
  readonly state: ManagedState
  readonly setSecrets: readonly string[]
}

/** An object below one that may be deleted. */
export interface Child {
  readonly kind: Kind
  readonly id: number
  /** The fields of its holders. */
  readonly row: Shown
  /** It has the mark of this configuration. */
  readonly isOwn: boolean
}

export interface Sensors {
  idOf(name: string): number | undefined
  nameOf(id: number): string | undefined
}

/** Everything that a configuration can be compared with. */
export interface Installation {
  readonly mark: string
  readonly managed: readonly Installed[]
  readonly sensors: Sensors
  /** With every mark and without; empty unless objects may be deleted. */
  readonly children: readonly Child[]
  find(kind: string, key: string): Installed | undefined
  /** The object that a definition takes over; undefined: there is none. */
  adopted(definition: Definition): Installed | undefined
}

/** The fields that are read of each object. */
export function fieldsOf({ members, within, hasSecrets, hasOwner }: Kind, more: readonly string[] = []): string {
  const shown = Object.keys(members).filter((name) => members[name]?.writeOnly !== true)
  const own = ['id', 'managed_key', 'managed_by', 'managed_state', ...(hasSecrets ? ['set_secrets'] : [])]
  const whose = [...(within === undefined || within === null ? [] : [within.field]), ...(hasOwner ? ['owner_id'] : [])]
  return [...own, ...whose, ...shown, ...more].join(',')
}

export function installedOf(kind: Kind, row: Shown, mark: string): Installed {
  const { id, managed_key: key, managed_by: by, managed_state: state, set_secrets: secrets } = row
  return {
    ...{ kind, row, id: Number(id) },
    key: by === mark && typeof key === 'string' ? key : null,
    state: isManagedState(state) ? state : {},
    setSecrets: Array.isArray(secrets) ? (secrets as readonly string[]) : [],
  }
}

export async function readSensors(api: Api): Promise<Sensors> {
  const rows = (await listAll(api, '/sensors', { fields: 'id,name' })) as readonly { id: number; name: string }[]
  const isUnique = (name: string) => rows.filter((row) => row.name === name).length === 1
  const unique = rows.filter(({ name }) => isUnique(name))
  return {
    idOf: (name) => unique.find((row) => row.name === name)?.id,
    nameOf: (id) => unique.find((row) => row.id === id)?.name,
  }
}

export async function readManaged(api: Api, kind: Kind, mark: string): Promise<readonly Installed[]> {
  const rows = await listAll(api, kind.path, { managed_by: mark, fields: fieldsOf(kind) })
  // Filters have no regard to case; marks have.
  return rows.map((row) => installedOf(kind, row, mark)).filter(({ key }) => key !== null)
}

const keyOf = (kind: string, key: string) => `${kind} ${key}`

/** The objects of a kind that one of these kinds may hold. */
async function readChildren(api: Api, kind: Kind, mark: string): Promise<readonly Child[]> {
  const fields = ['id', 'managed_key', 'managed_by', ...kind.holders.map(({ field }) => field)].join(',')
  const rows = await listAll(api, kind.path, { fields })
  return rows.map((row) => ({ kind, row, id: Number(row['id']), isOwn: installedOf(kind, row, mark).key !== null }))
}

/** Whether nothing is left below an object. */
export async function holdsNothing(api: Api, { kind, id, row: held }: Installed, model: Model): Promise<boolean> {
  for (const child of model.all) {
    if (child.configuration.goesAlong === true) continue
    for (const { field, by, canFilter } of child.holders.filter(({ to }) => to === kind.name)) {
      const name = by === null ? id : held[by]
      const rows = await listAll(api, child.path, {
        fields: `id,${field}`,
        ...(canFilter ? { [field]: String(name) } : {}),
      })
      if (rows.some((row) => row[field] === name)) return false
    }
  }
  return true
}

/** Everything with the mark, and what the definitions want to take over. */
export async function readInstallation(
  api: Api,
  {
    model,
    definitions,
    isPruning,
  }: { readonly model: Model; readonly definitions: Definitions; readonly isPruning: boolean },
): Promise<Installation> {
  const { mark, all } = definitions
  const managed: Installed[] = []
  for (const kind of model.all) for (const object of await readManaged(api, kind, mark)) managed.push(object)
  const byKey = new Map(managed.map((object) => [keyOf(object.kind.name, object.key ?? ''), object]))
  const defined = new Set(all.map(({ kind, key }) => keyOf(kind.name, key)))
  const leaving = managed.filter(({ kind, key }) => isPruning && !defined.has(keyOf(kind.name, key ?? '')))
  const holding = new Set(leaving.map(({ kind }) => kind.name))
  const children: Child[] = []
  for (const kind of model.all.filter(({ holders }) => holders.some(({ to }) => holding.has(to))))
    for (const child of await readChildren(api, kind, mark)) children.push(child)
  const sensors = await readSensors(api)
  const adopting = all.filter(({ kind, key, adopt }) => adopt !== null && !byKey.has(keyOf(kind.name, key)))
  const adopted = new Map<Definition, Installed>()
  for (const definition of adopting) {
    const { kind, adopt } = definition
    const path = `${kind.path}/${encodeURIComponent(String(adopt))}`
    const reply = await api.send({ method: 'GET', path: `${path}?fields=${fieldsOf(kind)}` })
    if (reply.status === 200) adopted.set(definition, installedOf(kind, reply.body as Shown, mark))
    else if (reply.status !== 404) refused(api, path, reply)
  }
  return {
    ...{ mark, managed, sensors, children },
    find: (kind, key) => byKey.get(keyOf(kind, key)),
    adopted: (definition) => adopted.get(definition),
  }
}
