import { keyOfName } from '../domain/configuration/managed-key.ts'
import { isObject } from '../domain/input/json.ts'
import { fold } from '../domain/queries/condition.ts'
import { type Api, listAll, refused } from './api.ts'
import { fieldsOf, type Installed, installedOf, readSensors, type Sensors } from './installation.ts'
import { escaped } from './interpolate.ts'
import { type Kind, type Model, mapReferences } from './model.ts'
import { leavesOf, membersOf, secretName } from './values.ts'

/** The objects of an account as a file that changes nothing when it is applied. */

export interface Exported {
  readonly document: Readonly<Record<string, unknown>>
  /** Variables that the file names in place of secrets. */
  readonly variables: readonly string[]
  readonly objects: number
  /** The marks of the objects that are left out, with their numbers. */
  readonly otherMarks: ReadonlyMap<string, number>
}

interface Options {
  readonly api: Api
  readonly model: Model
  readonly mark: string
  readonly nowAt: number
}

interface Keyed extends Installed {
  /** Whole: `anna/mail`. */
  readonly fileKey: string
}

async function ownersOf(api: Api): Promise<{ readonly ids: readonly unknown[]; readonly defaultGroup: unknown }> {
  const path = '/accounts/my_account?fields=id,parent_account_id'
  const reply = await api.send({ method: 'GET', path })
  const group = await api.send({ method: 'GET', path: '/groups/my_default_group?fields=id,owner_id' })
  const { id: defaultGroup, owner_id: owner } = (group.body ?? {}) as Readonly<Record<string, unknown>>
  // A key without the scope `account` knows the owner by the default group.
  if (reply.status === 403 && group.status === 200) return { ids: [owner], defaultGroup }
  if (reply.status !== 200) refused(api, '/accounts/my_account', reply)
  const { id, parent_account_id: parent } = reply.body as Readonly<Record<string, unknown>>
  return { ids: [id, parent], defaultGroup }
}

const isPast = (row: Installed['row'], nowAt: number) =>
  typeof row['end_time'] === 'string' && Date.parse(row['end_time']) <= nowAt

/** Archived services and times that are over are left out. */
function isExported({ kind, row }: Installed, { nowAt }: Options, known: Known): boolean {
  if (row['is_archived'] === true || isPast(row, nowAt)) return false
  const above = kind.within ?? (kind.hasOwner ? null : soleReference(kind))
  return above === null || known.by(above.resource, row[above.field]) !== undefined
}

/** A kind without an owner of its own belongs to the object that it names. */
function soleReference({ configuration: { ownerOf, references = {} } }: Kind) {
  const field = ownerOf?.field ?? ''
  const to = references[field]?.to
  return to === undefined ? null : { resource: to, field }
}

const nameOf = (kind: string, member: string, value: unknown) => `${kind} ${member} ${fold(String(value))}`

class Known {
  readonly #objects = new Map<string, Keyed>()
  readonly #named = new Map<string, Keyed>()
  readonly #taken = new Set<string>()

  by(kind: string, id: unknown): Keyed | undefined {
    return this.#objects.get(`${kind} ${id}`)
  }

  /** By a member, such as its name, that is unique without regard to case. */
  named(kind: string, member: string, value: unknown): Keyed | undefined {
    return this.#named.get(nameOf(kind, member, value))
  }

  /** By key, so that exports can be compared. */
  of(kind: Kind): readonly Keyed[] {
    const own = [...this.#objects.values()].filter((object) => object.kind.name === kind.name)
    return own.toSorted((one, other) => (one.fileKey < other.fileKey ? -1 : 1))
  }

  /** Objects that have keys come first, so that a made key is nobody's. */
  add(objects: readonly Installed[]): void {
    for (const object of objects.filter(({ key }) => key !== null)) this.#put(object, object.key ?? '')
    for (const object of objects.filter(({ key }) => key === null)) this.#put(object, this.#madeKey(object))
  }

  #put(object: Installed, fileKey: string): void {
    const keyed = { ...object, fileKey }
    this.#objects.set(`${object.kind.name} ${object.id}`, keyed)
    const { title, name } = object.kind
    this.#named.set(nameOf(name, title, object.row[title]), keyed)
    this.#taken.add(`${object.kind.name} ${fileKey}`)
  }

  #madeKey({ kind, row, id }: Installed): string {
    const above = kind.within == null ? '' : `${this.by(kind.within.resource, row[kind.within.field])?.fileKey}/`
    const own = keyOfName(String(row[kind.title] ?? ''), `${kind.singular.replaceAll(' ', '-')}-${id}`)
    for (let number = 1; ; number += 1) {
      const key = `${above}${number === 1 ? own : `${own}-${number}`}`
      if (!this.#taken.has(`${kind.name} ${key}`)) return key
    }
  }
}

export async function exportAccount(options: Options): Promise<Exported> {
  const { api, model, mark } = options
  const { ids, defaultGroup } = await ownersOf(api)
  const sensors = await readSensors(api)
  const known = new Known()
  const otherMarks = new Map<string, number>()
  for (const kind of model.all) {
    const more = kind.name === 'services' ? ['is_archived'] : []
    const rows = await listAll(api, kind.path, { fields: fieldsOf(kind, more) })
    const all = rows
      .filter((row) => !kind.hasOwner || ids.includes(row['owner_id']))
      .map((row) => installedOf(kind, row, mark))
    const objects = all.filter(({ row, key }) => key !== null || row['managed_by'] === null)
    for (const { row } of all.filter((object) => !objects.includes(object))) {
      const other = String(row['managed_by'])
      otherMarks.set(other, (otherMarks.get(other) ?? 0) + 1)
    }
    known.add(objects.filter((object) => isExported(object, options, known)))
  }
  const variables = new Set<string>()
  const writing: Writing = { known, sensors, variables, defaultGroup }
  const document: Record<string, unknown> = { version: 1, managed_by: mark }
  for (const kind of model.kinds) {
    const objects = known.of(kind)
    if (objects.length > 0)
      document[kind.name] = Object.fromEntries(objects.map((object) => [object.fileKey, written(object, writing)]))
  }
  const objects = model.all.reduce((sum, kind) => sum + known.of(kind).length, 0)
  return { document, variables: [...variables], objects, otherMarks }
}

interface Writing {
  readonly known: Known
  readonly sensors: Sensors
  readonly variables: Set<string>
  readonly defaultGroup: unknown
}

function written(object: Keyed, writing: Writing): Readonly<Record<string, unknown>> {
  const { kind, id, key, fileKey } = object
  // In another account it is the default group there.
  const isDefault = kind.name === 'groups' && id === writing.defaultGroup
  const adopting = isDefault ? { adopt: 'my_default_group' } : key === null ? { adopt: id } : {}
  const parts = Object.entries(kind.parts).flatMap(([member, part]) => {
    const own = writing.known.of(part).filter((one) => one.fileKey.startsWith(`${fileKey}/`))
    const below = own.map((one) => [one.fileKey.slice(fileKey.length + 1), written(one, writing)] as const)
    return below.length === 0 ? [] : [[member, Object.fromEntries(below)] as const]
  })
  return { ...adopting, ...membersIn(object, writing), ...Object.fromEntries(parts) }
}

function membersIn({ kind, row, fileKey, setSecrets }: Keyed, { known, sensors, variables }: Writing) {
  const { configuration, members } = kind
  const named = mapReferences(kind, row, (name, { to, by, isOpen }) => {
    if (by !== undefined) return known.named(to, by, name)?.fileKey ?? name
    if (isOpen === true) return sensors.nameOf(Number(name)) ?? name
    const target = known.by(to, name)
    if (target === undefined) return name
    const isSibling = kind.siblings.has(target.kind.name)
    return isSibling ? target.fileKey.slice(target.fileKey.lastIndexOf('/') + 1) : target.fileKey
  })
  const left = new Set(configuration.usual?.(row) ?? [])
  const explicit = configuration.explicit?.(row) ?? []
  const shown = leavesOf(kind, named).filter(({ path, member, value }) => {
    if (left.has(path) || left.has(member)) return false
    return explicit.includes(member) || !isLeftOut(members[member]?.required === true, value)
  })
  const secrets = (configuration.secrets?.(row) ?? []).filter((path) => setSecrets.includes(secretName(path)))
  const placed = secrets.map((path) => {
    const variable = variableOf(kind, fileKey, path)
    variables.add(variable)
    return { path, member: path.split('.')[0] ?? path, value: `\${${variable}}` }
  })
  const plain = shown.map((leaf) => ({ ...leaf, value: withEscapes(leaf.value) }))
  return membersOf([...plain, ...placed])
}

/** A new object has these values anyway. */
function isLeftOut(isRequired: boolean, value: unknown): boolean {
  if (value === null || value === undefined) return true
  return !isRequired && (value === '' || (Array.isArray(value) && value.length === 0))
}

function variableOf(kind: Kind, fileKey: string, path: string): string {
  return `SECRET_${kind.name}_${fileKey}_${secretName(path)}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

function withEscapes(value: unknown): unknown {
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) return value.map(withEscapes)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withEscapes(member)]))
}
