import type { AnswerAt } from '../api/answers.ts'
import type { Only, Sent } from '../api/bodies.ts'
import type { Path } from '../api/client.ts'
import type { Resolving } from './conflict-note.tsx'
import { useVersioned } from './use-versioned.ts'

/** A form of an object: what it has, and how that comes from the object and goes back. */
export interface Editing<State, A extends string, B extends Sent<'PUT', A> & object> {
  /** Where the object is; null: it is a new one. */
  readonly path: Path<'PUT', A> | null
  readonly state: State
  readonly set: (state: State) => void
  /** Reads the object as `GET` shows it. */
  readonly read: (object: AnswerAt<'GET', A>) => State
  /** The request's body. */
  readonly body: (state: State) => Only<'PUT', A, B>
}

/** Saves the form of an object that is there, unless somebody saved another version of it meanwhile. */
export function useEditing<State, const A extends string, B extends Sent<'PUT', A> & object>({
  path,
  state,
  set,
  read,
  body,
}: Editing<State, A, B>) {
  const { saving, conflict, show, beginAgain, managed } = useVersioned<State, A>({
    path,
    known: body(state),
    inTerms: (object) => body(read(object)),
  })
  const send = (done: () => void, isAnswer = conflict?.isShown ?? false) =>
    saving.mutate({ mine: body(state), state, body: body(state), isAnswer }, { onSuccess: done })
  const resolvingFor = (done: (settle: () => void) => void): Resolving | null =>
    conflict === null
      ? null
      : {
          conflict,
          show: (isNewer) => {
            set(isNewer ? read(conflict.newer.object) : conflict.state)
            show(isNewer)
          },
          saveMine: (settle) => send(() => done(settle), true),
        }
  return { saving, send, resolvingFor, beginAgain, managed }
}
