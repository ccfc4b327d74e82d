import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import { componentOf, operationsOf } from '../../src/rest/routes.ts'
import type { ApiWorld } from './api.ts'
import { exampleIn } from './described.ts'
import { ownerFor } from './people.ts'

/**
 * Makes one of each resource that can be created and is not among `furnished`, from its published example; ids by
 * resource. So the contract covers a new resource without furniture of its own, unless its example needs a missing
 * object.
 */
export async function furnishFromExamples(
  api: ApiWorld,
  furnished: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const registry = declaredResources()
  const document = interfaceDescription()
  const ids: Record<string, number> = {}
  for (const resource of registry.all.filter(({ name }) => !furnished.includes(name))) {
    const creating = operationsOf(resource, registry).find(({ id }) => id === `${componentOf(resource)}.create`)
    if (creating === undefined || creating.path.includes('{')) continue
    const example = exampleIn(document, creating) as Readonly<Record<string, unknown>>
    // Others make things from the example as it is published.
    const own = Object.keys(example).filter((name) => resource.fields[name]?.unique)
    const body = { ...example, ...Object.fromEntries(own.map((name) => [name, `${example[name]}-furnished`])) }
    const reply = await api.call(ownerFor(creating), 'POST', creating.path, body)
    if (reply.status !== 201) {
      throw new Error(`The example of ${resource.name} does not stand alone, furnish one (furnished.ts): ${reply.text}`)
    }
    ids[resource.name] = (reply.body as { readonly id: number }).id
  }
  return ids
}

/** The template that was made becomes that of the contact. */
export async function assignTemplate(api: ApiWorld, ids: Readonly<Record<string, number>>): Promise<void> {
  const assigned = { template_id: ids['templates'] }
  const reply = await api.call('alice', 'PUT', `/contacts/${ids['contacts']}/custom_templates/email`, assigned)
  if (reply.status !== 204) throw new Error(`custom_templates: ${reply.text}`)
}
