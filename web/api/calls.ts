import type { AnswerAt } from '../../client/client.ts'
import type { Changing, Only, Sent } from './bodies.ts'
import { type Path, send } from './client.ts'

declare const checked: unique symbol

/** A call that changes something, as it is written down. */
export interface WrittenCall {
  readonly method: Changing
  /** The path after `/v3`. */
  readonly path: string
  readonly body?: unknown
}

/** A call that changes something. Nothing but `callTo` makes one, so its body is that of the operation. */
export interface Call<Answer = unknown> extends WrittenCall {
  /** Only for the types. */
  readonly [checked]: Answer
}

/** A call with the types that its address says; a member that the operation does not know is refused. */
export function callTo<const M extends Changing, const A extends string>(
  method: M,
  path: Path<M, A>,
): Call<AnswerAt<M, A>>
export function callTo<const M extends Changing, const A extends string, B extends Sent<M, A>>(
  method: M,
  path: Path<M, A>,
  body: Only<M, A, B>,
): Call<AnswerAt<M, A>>
export function callTo(method: Changing, path: string, body?: unknown): Call {
  return checkedCall(body === undefined ? { method, path } : { method, path, body })
}

/** For forms whose own types have checked the body. */
export function checkedCall<Answer>(call: WrittenCall): Call<Answer> {
  return call as Call<Answer>
}

/** Sends a call; the body of its answer, if it has one. With a tag it is refused (412) for any other version. */
export async function sendChange<Answer>({ method, path, body }: Call<Answer>, tag?: string): Promise<Answer> {
  const response = await send(path, { method, body, ...(tag === undefined ? {} : { headers: { 'If-Match': tag } }) })
  return (response.status === 204 ? undefined : await response.json()) as Answer
}

/** Sends a change; the types are those of `callTo`. */
export function change<const M extends Changing, const A extends string>(
  method: M,
  path: Path<M, A>,
): Promise<AnswerAt<M, A>>
export function change<const M extends Changing, const A extends string, B extends Sent<M, A>>(
  method: M,
  path: Path<M, A>,
  body: Only<M, A, B>,
): Promise<AnswerAt<M, A>>
export function change(method: Changing, path: string, body?: unknown): Promise<unknown> {
  return sendChange(checkedCall({ method, path, body }))
}
