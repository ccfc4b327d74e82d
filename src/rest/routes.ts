import type { AnswerDescription, Operation, ParameterDescription } from './call.ts'
import type { Registry, Resource, StandardOperation } from './declare.ts'
import { searchFields } from './described-filters.ts'
import type { Fields } from './fields.ts'
import { withScope } from './keys.ts'
import { create } from './operations/create.ts'
import { countRows, list, listChildren, search } from './operations/list.ts'
import { permissions } from './operations/permissions.ts'
import { put } from './operations/put.ts'
import { read, readRelated } from './operations/read.ts'
import { remove } from './operations/remove.ts'
import { update } from './operations/update.ts'
import { filterParameters, listParameters, pathParameters, readParameters } from './parameter-descriptions.ts'
import { itemPath } from './paths.ts'
import { maximumInteger, named, permissionsComponent, reference, schemaOf } from './schemas.ts'

type Derived = Omit<Operation, 'id' | 'tag' | 'access'>

export const noContent: Readonly<Record<number, AnswerDescription>> = { 204: { about: 'Done.' } }

/** The answer to a creation. */
export const createdSchema = named('created', {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', maximum: maximumInteger } },
  example: { id: 1 },
})

const created: Readonly<Record<number, AnswerDescription>> = {
  201: {
    about: 'Created.',
    schema: createdSchema,
    headers: { Location: 'Address of the created object.' },
  },
}

/** The caller may name the version that it changes. */
const conditional = { hearsIfMatch: true, refusals: [412] } as const

/** The answers to a creation: the identifier, and warnings if the object can have any. */
function createdAnswer({ write, fields }: Resource): Readonly<Record<number, AnswerDescription>> {
  const { warnings } = fields
  const hasWarnings = write.warnings !== undefined && warnings !== undefined
  const more = Object.entries({ ...write.revealed, ...(hasWarnings ? { warnings } : {}) })
  const answer = created[201]
  if (more.length === 0 || answer === undefined) return created
  const names = more.map(([name]) => name)
  const schemas = Object.fromEntries(more.map(([name, field]) => [name, schemaOf(field)]))
  const properties = { id: { type: 'integer', maximum: maximumInteger }, ...schemas }
  const example = { id: 1, ...Object.fromEntries(more.map(([name, field]) => [name, field.example])) }
  return { 201: { ...answer, schema: { type: 'object', required: ['id', ...names], properties, example } } }
}

/** The answers to a change: nothing, and a header if something keeps the object from working. */
function changedAnswer({ write }: Resource): Readonly<Record<number, AnswerDescription>> {
  if (write.warnings === undefined) return noContent
  return {
    204: {
      about: 'Done.',
      headers: { 'Latarnik-Warning': 'The warnings that hold now; left out when there are none.' },
    },
  }
}

/** The component that describes a resource's objects. */
export function componentOf(resource: Resource): string {
  return resource.name.replaceAll('/', '_')
}

/** How a page of the resource is described. */
export function listAnswer(resource: Resource): Readonly<Record<number, AnswerDescription>> {
  return {
    200: {
      about: 'A page of the matching objects.',
      schema: { type: 'array', items: reference(componentOf(resource)) },
      headers: { 'X-Total-Count': 'Number of all matching objects, before pagination.' },
    },
  }
}

/** How one object of the resource is described. */
function objectAnswer(resource: Resource): Readonly<Record<number, AnswerDescription>> {
  return {
    200: {
      about: `The ${resource.singular}.`,
      schema: reference(componentOf(resource)),
      headers: { Allow: 'Methods that the caller may use on this object.', ETag: 'Version of the answer.' },
    },
  }
}

/** `an account`, `a group`. */
function withArticle(singular: string): string {
  return `${/^[aeio]/i.test(singular) ? 'an' : 'a'} ${singular}`
}

function plural({ name }: Resource): string {
  return name.replaceAll('_', ' ').replaceAll('/', ': ')
}

function writable(fields: Fields, changing: boolean): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => !field.internal && !field.embedOnly && (changing || !field.readOnly))
      // A field that is never shown and never changed has no present value to send.
      .filter(([, field]) => !(changing && field.immutable && field.writeOnly))
      .map(([name, field]) => [name, changing ? { ...field, required: false } : field]),
  )
}

/** How each standard operation is derived from a declaration. */
const standard: Readonly<Record<StandardOperation, (resource: Resource, registry: Registry) => Derived>> = {
  list: (resource, registry) => ({
    method: 'GET',
    path: resource.path,
    summary: `List ${plural(resource)}`,
    about: `${resource.about} A page of those that the caller may read.`,
    parameters: [...pathParameters(resource.path), ...listParameters(resource, registry)],
    answers: listAnswer(resource),
    handle: (call) => list(resource, call),
  }),
  search: (resource, registry) => ({
    method: 'POST',
    path: `${resource.path}/search`,
    summary: `Search ${plural(resource)}`,
    about: 'The list parameters as members of a JSON body; filters under `filters`.',
    parameters: pathParameters(resource.path),
    body: searchFields(resource, registry),
    isBodyOptional: true,
    answers: listAnswer(resource),
    handle: (call) => search(resource, call),
  }),
  read: (resource) => ({
    method: 'GET',
    path: itemPath(resource),
    summary: `Read one ${resource.singular}`,
    about: `${resource.about} One that the caller may not read is not found.`,
    parameters: [...pathParameters(itemPath(resource)), ...readParameters(resource)],
    answers: objectAnswer(resource),
    handle: (call) => read(resource, call),
  }),
  create: (resource) => ({
    method: 'POST',
    path: resource.path,
    summary: `Create ${withArticle(resource.singular)}`,
    about: resource.making ?? 'The answer has its identifier; `Location` has its address.',
    parameters: pathParameters(resource.path),
    body: writable(resource.fields, false),
    variants: resource.variants,
    answers: createdAnswer(resource),
    handle: (call) => create(resource, call),
  }),
  update: (resource) => ({
    method: 'PUT',
    path: itemPath(resource),
    summary: `Modify ${withArticle(resource.singular)}`,
    about: 'Any subset of the fields; immutable ones are accepted with their present value.',
    parameters: pathParameters(itemPath(resource)),
    body: writable(resource.fields, true),
    answers: changedAnswer(resource),
    ...conditional,
    handle: (call) => update(resource, call),
  }),
  put: (resource) => ({
    method: 'PUT',
    path: itemPath(resource),
    summary: `Create or modify ${withArticle(resource.singular)}`,
    about: ['Creates it when there is none. Any subset of the fields.', resource.making ?? ''].join(' ').trimEnd(),
    parameters: pathParameters(itemPath(resource)),
    body: writable(resource.fields, true),
    answers: noContent,
    ...conditional,
    handle: (call) => put(resource, call),
  }),
  remove: (resource) => ({
    method: 'DELETE',
    path: itemPath(resource),
    summary: `Delete ${withArticle(resource.singular)}`,
    about: 'Needs the permission `delete`; whoever may read it without that is refused.',
    parameters: pathParameters(itemPath(resource)),
    answers: noContent,
    ...conditional,
    handle: (call) => remove(resource, call),
  }),
  permissions: (resource) => ({
    method: 'GET',
    path: `${itemPath(resource)}/permissions`,
    summary: `Permissions of the caller to the ${resource.singular}`,
    about: 'Each flag tells whether the caller may do that to it now.',
    parameters: [
      ...pathParameters(itemPath(resource)),
      ...readParameters(resource).filter(({ name }) => name === 'fields'),
    ],
    answers: {
      200: { about: 'The permissions of the caller.', schema: reference(permissionsComponent(componentOf(resource))) },
    },
    handle: (call) => permissions(resource, call),
  }),
}

/**
 * The operation with the scope of what it answers with. A word of a dictionary tells of the object that has it, so it
 * needs the scope of that object.
 */
function withScopeBelow(operation: Operation, above: Resource, target: Resource, registry: Registry): Operation {
  const ruled = target.tag === 'dictionaries' ? withScope(operation, above, registry) : operation
  return withScope(ruled, target, registry)
}

function below(resource: Resource, registry: Registry): Operation[] {
  const item = itemPath(resource)
  const shared = { tag: resource.tag, access: resource.access, method: 'GET' as const }
  const parameters: readonly ParameterDescription[] = pathParameters(item)
  const related = resource.subresources.map((name): Operation => {
    const target = registry.get(resource.relations[name]?.to ?? '')
    const operation: Operation = {
      ...shared,
      deprecated: resource.deprecated,
      id: `${componentOf(resource)}.${name}`,
      path: `${item}/${name}`,
      summary: `The ${name.replaceAll('_', ' ')} of ${withArticle(resource.singular)}`,
      about: `${target.about} It is not found where the caller may not read it.`,
      parameters: [...parameters, ...readParameters(target)],
      answers: objectAnswer(target),
      handle: (call) => readRelated(resource, name, call),
    }
    return withScopeBelow(operation, resource, target, registry)
  })
  const lists = Object.entries(resource.children).map(([name, child]): Operation => {
    const target = registry.get(child.list)
    const path = `${item}/${child.path ?? name}`
    const operation: Operation = {
      ...shared,
      deprecated: resource.deprecated || target.deprecated,
      id: `${componentOf(resource)}.${name}`,
      path,
      summary: child.summary,
      about: 'A page of those that the caller may read.',
      parameters: [...pathParameters(path), ...listParameters(target, registry)],
      answers: listAnswer(target),
      handle: (call) => listChildren(resource, child, call),
    }
    return withScopeBelow(operation, resource, target, registry)
  })
  return [...related, ...lists]
}

function countingsOf(resource: Resource, registry: Registry): Operation[] {
  return Object.entries(resource.countings).map(([name, counting]): Operation => {
    const path = `${resource.path}/${name}`
    const operation: Operation = {
      tag: resource.tag,
      access: resource.access,
      method: 'GET',
      deprecated: resource.deprecated,
      id: `${componentOf(resource)}.${name}`,
      path,
      summary: counting.summary,
      about: counting.about,
      parameters: [...pathParameters(path), ...filterParameters(resource, registry)],
      answers: { 200: { about: 'The counts.', schema: schemaOf(counting.answer) } },
      handle: (call) => countRows(resource, counting, call),
    }
    return withScope(operation, resource, registry)
  })
}

/** Every operation of every resource. */
export function allOperations(registry: Registry): readonly Operation[] {
  return registry.all.flatMap((resource) => operationsOf(resource, registry))
}

/** Every operation of a resource: standard ones, those below an object, and its own actions. */
export function operationsOf(resource: Resource, registry: Registry): readonly Operation[] {
  const derived = resource.operations.map(
    (name): Operation => ({
      id: `${componentOf(resource)}.${name}`,
      tag: resource.tag,
      access: resource.access,
      deprecated: resource.deprecated,
      isBeforeSecondFactor: resource.beforeSecondFactor.includes(name),
      ...standard[name](resource, registry),
    }),
  )
  const own = [...derived, ...resource.actions].map((operation) => withScope(operation, resource, registry))
  const further = [...below(resource, registry), ...countingsOf(resource, registry)]
  return [...own.slice(0, derived.length), ...further, ...own.slice(derived.length)]
}
