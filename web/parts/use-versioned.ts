import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerAt } from '../api/answers.ts'
import type { Sent } from '../api/bodies.ts'
import { checkedCall, sendChange } from '../api/calls.ts'
import { type Path, Refused, readVersion, type Version } from '../api/client.ts'
import type { Managed } from './managed.tsx'
import { readAgain } from './use-change.ts'

/** Members of an object in the terms of a form: `extended_settings.timeout` is one of them. */
export type Members = Readonly<Record<string, unknown>>

/** Somebody saved another version since the form was opened. */
export interface Conflict<State, Shown> {
  readonly newer: Version<Shown>
  /** The members of `newer` in the terms of the form. */
  readonly theirs: Members
  /** The form's values when it was refused. */
  readonly mine: Members
  readonly state: State
  /** The members that are different. */
  readonly names: readonly string[]
  /** The form has the newer one now. */
  readonly isShown: boolean
}

interface Asked<A extends string> {
  /** Null: something new, of which there is no other version. */
  readonly path: Path<'PUT', A> | null
  /** The form's initial values. */
  readonly known: object
  /** Turns an object of the API into the terms of the form. */
  readonly inTerms: (object: AnswerAt<'GET', A>) => object
}

interface Saving<State, A extends string> {
  readonly mine: object
  /** The state from which the form can be shown again. */
  readonly state: State
  readonly body: Sent<'PUT', A>
  /** The reader knows of the newer version. */
  readonly isAnswer: boolean
}

/** Each member by its name. */
function membersOf(values: object): Members {
  return { ...values }
}

function differing(one: Members, other: Members): readonly string[] {
  const isSame = (name: string) => JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null)
  return Object.keys(one).filter((name) => !isSame(name))
}

/** The form has a field for each member of an object within the object, such as `shift.at`. */
function eachField(members: Members): Members {
  const entries = Object.entries(members).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? [[name, value]]
      : Object.entries(value).map(([key, part]) => [`${name}.${key}`, part] as const),
  )
  return Object.fromEntries(entries)
}

/** Both versions field by field, and the fields that are different. */
function difference(theirs: Members, mine: Members) {
  const fields = { theirs: eachField(theirs), mine: eachField(mine) }
  const names = [...differing(fields.theirs, fields.mine), ...differing(fields.mine, fields.theirs)]
  return { ...fields, names: [...new Set(names)] }
}

/** A form of something new has no version, and asks for none. */
export function existing<Path>(path: Path | null | undefined): Path {
  if (path === null || path === undefined) throw new Error('There is no such address')
  return path
}

/**
 * Changes an object only in the version that the form began with. When somebody saved another one meanwhile,
 * `conflict` says what is different; when nothing of the form is, it is saved without a question.
 */
export function useVersioned<State, const A extends string>({ path, known, inTerms }: Asked<A>) {
  type Shown = AnswerAt<'GET', A>
  const client = useQueryClient()
  const [first, setFirst] = useState(() => membersOf(known))
  const [conflict, setConflict] = useState<Conflict<State, Shown> | null>(null)
  const reading = {
    queryKey: ['version', path],
    queryFn: () => readVersion<A>(existing(path)),
    enabled: path !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  }
  const { data: opened } = useQuery(reading)
  const termsOf = (object: Shown): Members => {
    const all = membersOf(inTerms(object))
    return Object.fromEntries(Object.keys(first).map((name) => [name, all[name]]))
  }
  const isOther = ({ object }: Version<Shown>) => differing(termsOf(object), first).length > 0
  const write = async (sent: Saving<State, A>, version: Version<Shown>): Promise<unknown> => {
    try {
      if (!sent.isAnswer && isOther(version)) throw new Refused(412, [])
      return await sendChange(checkedCall({ method: 'PUT', path: existing(path), body: sent.body }), version.tag)
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 412) throw error
      const newer = await readVersion<A>(existing(path))
      const theirs = termsOf(newer.object)
      const mine = membersOf(sent.mine)
      if (isOther(newer) && differing(theirs, mine).length > 0) {
        setConflict({ newer, ...difference(theirs, mine), state: sent.state, isShown: false })
        throw error
      }
      return write({ ...sent, isAnswer: true }, newer)
    }
  }
  const saving = useMutation({
    mutationFn: async (sent: Saving<State, A>) =>
      write(sent, sent.isAnswer && conflict !== null ? conflict.newer : await client.ensureQueryData(reading)),
    onSuccess: () => setConflict(null),
    onSettled: readAgain(client, { predicate: ({ queryKey }) => queryKey[0] !== 'version' }),
  })
  /** The form stays after it was saved: what is saved now is what it begins with. */
  const beginAgain = async () => {
    const now = await client.fetchQuery({ ...reading, staleTime: 0 })
    setFirst(termsOf(now.object))
  }
  const show = (isShown: boolean) => setConflict((before) => (before === null ? null : { ...before, isShown }))
  const managed: Managed | null = opened?.object ?? null
  return { saving, conflict, show, beginAgain, managed }
}
