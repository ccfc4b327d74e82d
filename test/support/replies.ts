import type { Reply } from './api.ts'

/** The identifier of what was created; throws when it was not. */
export function idOf(reply: Reply): number {
  if (reply.status !== 201) throw new Error(`Not created: ${reply.status} ${reply.text}`)
  return (reply.body as { id: number }).id
}

/** Symbol and pointer of each problem. */
export function errorsOf(problems: unknown): (readonly [error: string, field: string | undefined])[] {
  return (problems as { error: string; field?: string }[]).map(({ error, field }) => [error, field])
}
