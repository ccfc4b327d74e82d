/** The resource use of the program's processes, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the processor's time in /proc, which Linux fixed at a hundredth of a second. */
const tickMs = 10

export type Part = 'program' | 'probing' | 'postgres' | 'far'
/** The far station has no part in a day without one. */
export const parts: readonly Part[] = ['program', 'probing', 'postgres', 'far']

export interface Usage {
  /** Milliseconds since they began; what ended meanwhile counts as probing, which is what the program starts anew. */
  readonly cpuMs: number
  /** Milliseconds that main threads were ready and got no CPU. */
  readonly waitedMs: number
  /** Megabytes; shared memory counts in each that touches it. */
  readonly rss: number
  /** Megabytes; shared pages by share. */
  readonly pss: number
  /** Megabytes of its own: without files and shared buffers, which fill up and stay. */
  readonly own: number
  readonly openFiles: number
}

interface Process {
  readonly id: number
  readonly parent: number
  readonly cpuMs: number
  /** The time of ended children. */
  readonly endedMs: number
}

function statOf(id: string): Process[] {
  try {
    const fields = (readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ').map(Number)
    const of = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * tickMs
    return [{ id: Number(id), parent: fields[1] ?? 0, cpuMs: of(11), endedMs: of(13) }]
  } catch {
    return []
  }
}

function descendants(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const found = all.filter(({ id }) => id === root)
  for (const process of found) found.push(...all.filter(({ parent }) => parent === process.id))
  return found
}

function partOf({ id }: Process, root: number): Part {
  if (id === root) return 'program'
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('postgres') ? 'postgres' : 'probing'
  } catch {
    return 'probing'
  }
}

interface Memory {
  readonly rss: number
  readonly pss: number
  readonly own: number
}

function memoryOf(id: number): Memory {
  try {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, 'latin1')
    const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
    return { rss: of('Rss'), pss: of('Pss'), own: of('Pss_Anon') }
  } catch {
    return { rss: 0, pss: 0, own: 0 }
  }
}

function openFilesOf(id: number): number {
  try {
    return readdirSync(`/proc/${id}/fd`).length
  } catch {
    return 0
  }
}

function waitedMsOf(id: number): number {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

const nothing: Usage = { cpuMs: 0, waitedMs: 0, rss: 0, pss: 0, own: 0, openFiles: 0 }

function added(before: Usage, process: Process, endedMs: number): Usage {
  const memory = memoryOf(process.id)
  return {
    cpuMs: before.cpuMs + process.cpuMs + endedMs,
    waitedMs: before.waitedMs + waitedMsOf(process.id),
    rss: before.rss + memory.rss,
    pss: before.pss + memory.pss,
    own: before.own + memory.own,
    openFiles: before.openFiles + openFilesOf(process.id),
  }
}

/** The program with this id and everything that it has started; and a far station's. */
export function usageOf(root: number, farId: number | null = null): Readonly<Record<Part, Usage>> {
  const usage: Record<Part, Usage> = { program: nothing, probing: nothing, postgres: nothing, far: nothing }
  for (const process of descendants(root)) {
    const part = partOf(process, root)
    const isRoot = process.id === root
    if (isRoot) usage.probing = { ...usage.probing, cpuMs: usage.probing.cpuMs + process.endedMs }
    usage[part] = added(usage[part], process, isRoot ? 0 : process.endedMs)
  }
  for (const process of farId === null ? [] : descendants(farId)) usage.far = added(usage.far, process, process.endedMs)
  return usage
}

/** Milliseconds of CPU of single processes. */
export function cpuMsOf(ids: readonly number[]): number {
  return ids.flatMap((id) => statOf(String(id))).reduce((sum, { cpuMs, endedMs }) => sum + cpuMs + endedMs, 0)
}
