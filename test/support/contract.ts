import { expect } from 'vitest'
import type { Operation } from '../../src/rest/call.ts'
import type { Registry, Resource } from '../../src/rest/declare.ts'
import type { Field } from '../../src/rest/fields.ts'
import { itemPath } from '../../src/rest/paths.ts'
import { componentOf, operationsOf } from '../../src/rest/routes.ts'
import type { Reply } from './api.ts'
import type { Description } from './described.ts'
import type { FurnishedWorld } from './furnished.ts'
import { ownerFor } from './people.ts'

export type Shown = Readonly<Record<string, unknown>>

export interface FoundObject {
  readonly path: string
  /** As the list shows it; null where there is no list. */
  readonly row: Shown | null
}

/** Identifiers of nothing, in three spellings. */
const nobodys = ['987654321', '0', 'nonsense']

export function fieldsOf(resource: Resource, wanted: (field: Field) => boolean | undefined): string[] {
  return Object.entries(resource.fields)
    .filter(([, field]) => !field.internal && wanted(field))
    .map(([name]) => name)
}

export function fieldOf(resource: Resource, name: string): Field {
  return resource.fields[name] ?? { kind: 'json' }
}

/**
 * The standard operations of a resource as Alice, or Dora for administrators, uses them; every answer is checked
 * against the description.
 */
export interface Contract {
  readonly listPath: string
  list(query: string): Promise<Reply>
  search(body: unknown): Promise<Reply>
  /** Some of the objects that the list shows. */
  objects(): Promise<readonly FoundObject[]>
  object(): Promise<FoundObject>
  read(path: string): Promise<Reply>
  /** A related object or list below an object. */
  below(path: string, name: string, query?: string): Promise<Reply>
  flagsOf(path: string): Promise<Readonly<Record<string, boolean>>>
  /** The path of the object that an alias stands for. */
  aliasPath(alias: string): string
  pathOf(id: unknown): string
  missing(): readonly string[]
  example(): Shown
  create(body: unknown): Promise<{ readonly location: string; readonly id: unknown }>
  change(path: string, body: unknown): Promise<void>
  /** An object that may be changed. */
  changeable(): Promise<FoundObject>
  /** An object made for the purpose where it can be made, else any that may go. */
  removable(): Promise<{ readonly path: string }>
}

/** Objects made from examples so far. */
let made = 0

export function contractOf(
  world: FurnishedWorld,
  registry: Registry,
  resource: Resource,
  description: Description,
): Contract {
  const operations = operationsOf(resource, registry)
  const listPath = world.fill(resource.path)
  const template = itemPath(resource)
  const last = /\{(\w+)\}(?!.*\{)/.exec(template)?.[1] ?? ''

  function operation(name: string): Operation {
    const found = operations.find(({ id }) => id === `${componentOf(resource)}.${name}`)
    if (found === undefined) throw new Error(`${resource.name} has no ${name}.`)
    return found
  }

  async function called(name: string, path: string, body?: unknown): Promise<Reply> {
    const used = operation(name)
    const reply = await world.call(ownerFor(resource), used.method, path, body)
    description.check(used, reply, { path, body })
    expect([path, reply.status, reply.status < 300 ? '' : reply.text]).toEqual([path, expect.any(Number), ''])
    return reply
  }

  function pathOf(id: unknown): string {
    return world.fill(template.replace(`{${last}}`, encodeURIComponent(String(id))))
  }

  function rowPath(row: Shown): string {
    const own = template.slice(resource.path.length)
    const cellOf = (name: string) => row[resource.bound[name] ?? ''] ?? row[name.slice(1)]
    return listPath + own.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(cellOf(name))))
  }

  async function objects(): Promise<readonly FoundObject[]> {
    if (!resource.operations.includes('list')) return [{ path: world.fill(template), row: null }]
    const rows = (await called('list', `${listPath}?limit=5`)).body as readonly Shown[]
    return rows.map((row) => ({ path: rowPath(row), row }))
  }

  async function flagsOf(path: string): Promise<Readonly<Record<string, boolean>>> {
    return (await called('permissions', `${path}/permissions`)).body as Record<string, boolean>
  }

  async function withFlag(flag: string): Promise<FoundObject> {
    for (const object of await objects()) if ((await flagsOf(object.path))[flag]) return object
    throw new Error(`The furnished world needs one of ${resource.name} with ${flag}.`)
  }

  async function create(body: unknown) {
    const reply = await called('create', listPath, body)
    const { id } = reply.body as { id: unknown }
    return { id, location: String(reply.headers['location']).replace('http://api.test/v3', '') }
  }

  /** Each time another value where two objects cannot have the same. */
  function example(): Shown {
    made += 1
    const published = description.exampleOf(operation('create')) as Shown
    const own = fieldsOf(resource, (field) => field.unique).filter((name) => name in published)
    return { ...published, ...Object.fromEntries(own.map((name) => [name, `${published[name]}${made}`])) }
  }

  return {
    listPath,
    list: (query) => called('list', `${listPath}?${query}`),
    search: (body) => called('search', `${listPath}/search`, body),
    objects,
    async object() {
      const [first] = await objects()
      if (first === undefined) throw new Error(`The furnished world needs one of ${resource.name}.`)
      return first
    },
    read: (path) => called('read', path),
    below: (path, name, query = '') =>
      called(name, `${path}/${world.fill(resource.children[name]?.path ?? name)}?${query}`),
    flagsOf,
    aliasPath(alias) {
      const analysis = '{_analysis_id}'
      return template.includes(analysis) ? world.fill(template.replace(analysis, alias)) : pathOf(alias)
    },
    pathOf,
    missing: () => nobodys.map(pathOf),
    example,
    create,
    async change(path, body) {
      await called('update', path, body)
    },
    changeable: () => withFlag('update'),
    async removable() {
      if (!resource.operations.includes('create')) return withFlag('delete')
      return { path: (await create(example())).location }
    },
  }
}
