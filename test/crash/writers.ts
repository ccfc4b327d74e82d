import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { Victim } from './victim.ts'

type Json = Readonly<Record<string, unknown>>

/** A kind of object that writers make, change and remove. Its value is unique in the whole story. */
export interface Kind {
  readonly path: string
  readonly field: string
  made(value: string): Json
  /** Further changes of a change, with their values. */
  changed?(chance: Chance): Json
}

/** An object whose making was acknowledged. */
interface Kept {
  readonly kind: Kind
  readonly id: number
  /** The possible values: the last acknowledged one and those of requests without an answer. Null: it is gone. */
  possible: ReadonlySet<string | null>
}

export interface Writers {
  /** Resolves when no request is under way any more. */
  stop(): Promise<void>
  /** Compares everything that was acknowledged with what is there. Returns what is wrong. */
  audit(): Promise<string[]>
  readonly faults: string[]
  /** Writes answered with 2xx. */
  acknowledged(): number
  /** Writes that nobody answered. */
  unanswered(): number
}

const pause = 5
const mostObjects = 15

/** The parts of a program that writers need; it may be another program each time. */
export type Door = Pick<Victim, 'call' | 'isReady'>

/** Starts so many callers of the API; each makes, changes, removes and reads objects of its own all the time. */
export function startWriters(door: Door, kinds: readonly [Kind, ...Kind[]], chance: Chance, count: number): Writers {
  const kept: Kept[][] = Array.from({ length: count }, () => [])
  /** Values whose making was not answered, by path. */
  const unsure: { readonly kind: Kind; readonly value: string }[] = []
  const faults: string[] = []
  let [isOn, values, acknowledged, unanswered] = [true, 0, 0, 0]

  function newValue(): string {
    values += 1
    return `value-${values}@crash.example`
  }

  function fault(what: string, status: number, body: unknown): void {
    faults.push(`${what}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`)
  }

  /** True when the write is known to have happened, false when it was refused, null when nobody knows. */
  async function write(method: string, path: string, body?: Json) {
    const reply = await door.call(method, path, body)
    // 503: the database is away, and a commit may be among what it has not answered.
    if (reply === null || reply.status === 503) {
      unanswered += 1
      return null
    }
    if (reply.status < 300) acknowledged += 1
    return reply
  }

  async function make(mine: Kept[], kind: Kind): Promise<void> {
    const value = newValue()
    const reply = await write('POST', kind.path, kind.made(value))
    if (reply === null) unsure.push({ kind, value })
    else if (reply.status !== 201) fault(`POST ${kind.path}`, reply.status, reply.body)
    else mine.push({ kind, id: (reply.body as { id: number }).id, possible: new Set([value]) })
  }

  async function change(one: Kept, to: string | null, dice: Chance): Promise<void> {
    const { kind, id, possible } = one
    one.possible = new Set([...possible, to])
    const body = to === null ? undefined : { ...kind.changed?.(dice), [kind.field]: to }
    const reply = await write(to === null ? 'DELETE' : 'PUT', `${kind.path}/${id}`, body)
    if (reply === null) return
    if (reply.status === 204) one.possible = new Set([to])
    else if (reply.status === 404 && possible.has(null)) one.possible = new Set([null])
    else fault(`${to === null ? 'DELETE' : 'PUT'} ${kind.path}/${id}`, reply.status, reply.body)
  }

  async function look(one: Kept): Promise<void> {
    const { kind, id } = one
    const reply = await door.call('GET', `${kind.path}/${id}?fields=${kind.field}`)
    if (reply === null || reply.status === 503) return
    const value = reply.status === 404 ? null : (reply.body as Readonly<Record<string, string>>)[kind.field]
    // A value that was seen once must not change back.
    if (value !== undefined && one.possible.has(value)) one.possible = new Set([value])
    else fault(`GET ${kind.path}/${id}, expected ${[...one.possible].join(' or ')}`, reply.status, reply.body)
  }

  async function act(mine: Kept[], dice: Chance): Promise<void> {
    const [first, ...others] = mine
    if (first === undefined || (mine.length < mostObjects && dice.happens(0.3))) return make(mine, dice.oneOf(kinds))
    const one = dice.oneOf([first, ...others])
    if (dice.happens(0.25)) return look(one)
    await change(one, dice.happens(0.35) ? null : newValue(), dice)
    if (one.possible.size === 1 && one.possible.has(null)) mine.splice(mine.indexOf(one), 1)
  }

  async function work(mine: Kept[], dice: Chance): Promise<void> {
    while (isOn) {
      if (door.isReady()) await act(mine, dice)
      await delay(pause)
    }
  }

  async function audit(): Promise<string[]> {
    for (const one of kept.flat()) await look(one)
    const expected = kept.flat().filter(({ possible }) => !possible.has(null))
    for (const kind of kinds) {
      const there = await listed(door, kind)
      const known = expected.filter((one) => one.kind === kind).flatMap(({ possible }) => [...possible])
      const possibly = new Set(unsure.filter((one) => one.kind === kind).map(({ value }) => value))
      const strange = there.filter((value) => !known.includes(value) && !possibly.has(value))
      const lost = known.filter((value) => value === null || !there.includes(value))
      if (strange.length > 0) faults.push(`${kind.path}: not made or removed: ${strange.join(', ')}`)
      if (lost.length > 0) faults.push(`${kind.path}: lost: ${lost.join(', ')}`)
      if (new Set(there).size < there.length) faults.push(`${kind.path}: something was made twice`)
    }
    return faults
  }

  const working = kept.map((mine, index) => work(mine, chance.branch(index)))
  return {
    async stop() {
      isOn = false
      await Promise.all(working)
    },
    audit,
    faults,
    acknowledged: () => acknowledged,
    unanswered: () => unanswered,
  }
}

/** Every value of the writers that is there. */
async function listed(door: Door, { path, field }: Kind): Promise<string[]> {
  const pageLength = 1000
  const values: string[] = []
  for (;;) {
    const reply = await door.call('GET', `${path}?fields=${field}&sort=id&limit=${pageLength}&offset=${values.length}`)
    const page = reply?.body as Readonly<Record<string, string>>[]
    values.push(...page.flatMap((row) => row[field] ?? []))
    if (page.length < pageLength) return values.filter((value) => value.endsWith('@crash.example'))
  }
}
