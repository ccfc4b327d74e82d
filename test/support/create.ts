import type { ApiWorld } from './api.ts'
import type { Person } from './people.ts'

export interface Created {
  readonly id: number
}

/** Makes something through the API. Throws when it is refused. @returns its number */
export async function create(api: ApiWorld, person: Person, path: string, body: unknown): Promise<number> {
  const reply = await api.call(person, 'POST', path, body)
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`)
  return (reply.body as Created).id
}
