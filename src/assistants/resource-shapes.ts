import type { Operation } from '../rest/call.ts'
import type { Registry, Resource } from '../rest/declare.ts'
import { schemaOf } from '../rest/schemas.ts'
import { type Shape, shapeOf } from './shapes.ts'

/** Rows that the program makes from its own catalogue. */
function isCatalogue({ source }: Resource): boolean {
  return source.kind === 'list'
}

function shapeOfField(resource: Resource, name: string): Shape {
  const field = resource.fields[name]
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}.`)
  return shapeOf(schemaOf(field, 'shown'), name, isCatalogue(resource))
}

/** The shape of a resource's object with these fields; those of an embedded object come after a dot. */
export function shapeOfFields(registry: Registry, resourceName: string, shows: readonly string[]): Shape {
  const resource = registry.get(resourceName)
  const members: Record<string, Shape> = {}
  const embedded = new Map<string, string[]>()
  for (const name of shows) {
    const [head = '', inner] = name.split('.')
    if (inner === undefined) members[name] = shapeOfField(resource, name)
    else embedded.set(head, [...(embedded.get(head) ?? []), inner])
  }
  for (const [head, names] of embedded) {
    const relation = resource.relations[head]
    if (relation === undefined) throw new Error(`${resourceName} embeds no ${head}.`)
    members[head] = shapeOfFields(registry, relation.to, names)
  }
  return { kind: 'object', members }
}

/** The shape of what a hand-written operation answers. */
export function shapeOfAnswer({ id, answers }: Operation): Shape {
  const schema = answers[200]?.schema
  if (schema === undefined) throw new Error(`${id} answers nothing.`)
  return shapeOf(schema, '')
}
