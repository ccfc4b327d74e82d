import type { Answer, Call, Operation } from '../call.ts'
import type { Resource } from '../declare.ts'
import { boolean, type Field, type Fields, integer, list, object } from '../fields.ts'
import { readBody, type Values } from '../input.ts'
import { readParent } from '../locate.ts'
import { pathParameters } from '../parameter-descriptions.ts'
import { ApiError, isFault, problemBody, refuseAny } from '../problems.ts'
import { named, objectSchema, reference, type Schema } from '../schemas.ts'
import { create } from './create.ts'
import { selectedServices, selectionProblems, selections } from './selected-services.ts'
import { warningHeader } from './update.ts'

/** Elements of one request at most; each is a transaction of its own. */
const maximumElements = 1000
/** This many elements count as a request of their own. */
const elementsARequest = 10

interface BulkOptions {
  /** Name of the resource of the objects. */
  readonly resource: string
  /** `bulk_delete` */
  readonly name: string
  readonly summary: string
  /** Collection path; default `/` and the name of the resource. */
  readonly path?: string
  readonly deprecated?: boolean
  /** Members of the body beside the identifiers: the same for every element. */
  readonly fields?: Fields
}

interface BulkByIds extends BulkOptions {
  /** One identifier; default a number. */
  readonly id?: Field
  /** The path parameter that the single operation takes the identifier from; default `_id`. */
  readonly parameter?: string
  /** The single operation. The body has the members beside the identifiers. */
  readonly each: (resource: Resource, call: Call) => Promise<Answer>
}

interface Outcome {
  readonly answer: Answer | null
  readonly shown: { readonly ok: boolean; readonly problems: readonly unknown[] }
}

/** The outcome of one of many writes. Our own faults go on as faults. */
export async function outcomeOf(call: Call, work: () => Promise<Answer>): Promise<Outcome> {
  try {
    return { answer: await work(), shown: { ok: true, problems: [] } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.problems.some(isFault)) call.logFault(error)
    return { answer: null, shown: { ok: false, problems: problemBody(error.problems, call.language) } }
  }
}

/** The answer for each element: its identity and its outcome. */
function outcomeSchema(component: string, outcome: Fields): Schema {
  const { properties, required } = objectSchema({ ...outcome, ok: boolean({}) }, 'shown')
  return named(component, {
    type: 'object',
    properties: { ...(properties as Schema), problems: reference('problems') },
    required: [...(required as readonly string[]), 'problems'],
  })
}

function bulk(options: BulkOptions, identifiers: Fields, outcome: Schema, handle: Operation['handle']): Operation {
  const { resource, name, summary, deprecated = false, fields = {}, path = `/${resource}` } = options
  return {
    id: `${resource}.${name}`,
    method: 'POST',
    path: `${path}/${name}`,
    tag: resource,
    summary,
    about: `At most ${maximumElements} elements, one after the other; a refused one does not stop the others. ${elementsARequest} elements count as a request.`,
    deprecated,
    access: 'customer',
    parameters: pathParameters(path),
    body: { ...identifiers, ...fields },
    answers: {
      200: { about: 'One element per identifier, in the order given.', schema: { type: 'array', items: outcome } },
    },
    handle,
  }
}

/** The identifiers, and the members beside them as they were written; wrong types refuse the whole request. */
async function readElements(
  call: Call,
  fields: Fields,
  name: string,
): Promise<{ ids: readonly unknown[]; rest: Values }> {
  const { values, problems } = readBody(fields, call.body, call.nowAt)
  refuseAny(problems)
  const { [name]: _identifiers, ...rest } = call.body as Values
  const ids = values[name] as readonly unknown[]
  await chargeFor(call, ids)
  return { ids, rest }
}

async function chargeFor(call: Call, ids: readonly unknown[]): Promise<void> {
  const further = Math.ceil(ids.length / elementsARequest) - 1
  if (further > 0) await call.charge(further)
}

/** The services that the body names or selects, and the members beside the selection. */
async function readServices(
  call: Call,
  fields: Fields,
  flag: string,
): Promise<{ ids: readonly unknown[]; rest: Values }> {
  const { values, problems } = readBody(fields, call.body, call.nowAt)
  refuseAny([...selectionProblems(call.body), ...problems])
  const ids = await selectedServices(call, values, { flag, maximum: maximumElements })
  await chargeFor(call, ids)
  const { service_ids: _ids, ...rest } = call.body as Values
  for (const name of Object.keys(selections)) delete rest[name]
  return { ids, rest }
}

/** `POST /{resource}/bulk_…` with `{ids, …}`: the single operation for each (answers §8, §15). */
export function bulkByIds(options: BulkByIds): Operation {
  const { id = integer({ example: 1 }), parameter = '_id', each, fields = {} } = options
  const identifiers = { ids: list(id, { required: true, maximumLength: maximumElements }) }
  const outcome = outcomeSchema(id.kind === 'text' ? 'bulk_result_by_text' : 'bulk_result', { id })
  return bulk(options, identifiers, outcome, async (call) => {
    const { ids, rest } = await readElements(call, { ...identifiers, ...fields }, 'ids')
    const resource = call.registry.get(options.resource)
    if (resource.parent !== null) await readParent(call.registry.get(resource.parent), call)
    const body: unknown[] = []
    const warnings: string[] = []
    for (const one of ids) {
      const parameters = { ...call.parameters, [parameter]: String(one) }
      call.trail?.turnTo(parameters)
      const { answer, shown } = await outcomeOf(call, () =>
        each(resource, { ...call, parameters, body: rest, ifMatch: null }),
      )
      const told = answer?.headers?.['Latarnik-Warning']
      if (told !== undefined) warnings.push(...told.split(', '))
      body.push({ id: one, ...shown })
    }
    return { status: 200, body, headers: warningHeader(warnings) }
  })
}

interface BulkCreate extends Omit<BulkOptions, 'name'> {
  /** Services may be selected by groups, tags or as a whole: those of which the caller has this permission. */
  readonly selects?: string
}

/** `POST /{resource}/bulk_create` with `{service_ids, …}`: one creation for each service (answers §9, §15). */
export function bulkCreate({ selects, ...options }: BulkCreate): Operation {
  const id = integer({ example: 1 })
  const service_ids = list(id, { required: selects === undefined, typical: true, maximumLength: maximumElements })
  const identifiers = { service_ids, ...(selects === undefined ? {} : selections) }
  const outcome = outcomeSchema('bulk_creation', {
    service_id: id,
    id: integer({ nullable: true, about: 'The id of the created object.' }),
  })
  return bulk({ ...options, name: 'bulk_create' }, identifiers, outcome, async (call) => {
    const fields = { ...identifiers, ...options.fields }
    const { ids, rest } = await (selects === undefined
      ? readElements(call, fields, 'service_ids')
      : readServices(call, fields, selects))
    const resource = call.registry.get(options.resource)
    const body: unknown[] = []
    for (const serviceId of ids) {
      const element = { ...call, body: { ...rest, service_id: serviceId } }
      const { answer, shown } = await outcomeOf(call, () => create(resource, element))
      body.push({ service_id: serviceId, id: (answer?.body as { id?: unknown } | undefined)?.id ?? null, ...shown })
    }
    return { status: 200, body }
  })
}

interface BulkCreateBelow extends Omit<BulkOptions, 'name' | 'path'> {
  /** The resource of the object above, and the field that names it. */
  readonly parent: { readonly resource: string; readonly field: string }
}

/** `POST /{parent}/{_id}/{resource}/bulk_create` with the objects under the name of the resource: one creation each. */
export function bulkCreateBelow({ parent, ...options }: BulkCreateBelow): Operation {
  const { resource: name, fields = {} } = options
  const path = `/${parent.resource}/{_id}/${name}`
  const elements = { [name]: list(object(fields, {}), { required: true, maximumLength: maximumElements }) }
  const outcome = outcomeSchema('bulk_creation_below', {
    id: integer({ nullable: true, about: 'The id of the created object.' }),
  })
  return {
    ...bulk({ ...options, fields: {}, path, name: 'bulk_create' }, elements, outcome, async (call) => {
      const { id: above } = await readParent(call.registry.get(parent.resource), call)
      const { problems } = readBody(elements, call.body, call.nowAt)
      refuseAny(problems)
      const given = (call.body as Record<string, readonly Values[]>)[name] ?? []
      await chargeFor(call, given)
      const body: unknown[] = []
      for (const element of given) {
        const one = { ...call, body: { ...element, [parent.field]: above } }
        const { answer, shown } = await outcomeOf(call, () => create(call.registry.get(name), one))
        body.push({ id: (answer?.body as { id?: unknown } | undefined)?.id ?? null, ...shown })
      }
      return { status: 200, body }
    }),
    id: `${parent.resource}.${name}_bulk_create`,
  }
}
