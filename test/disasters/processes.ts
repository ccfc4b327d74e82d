import { readdirSync, readFileSync } from 'node:fs'

/** Null when it has ended meanwhile. */
function parentOf(id: string): number | null {
  try {
    return Number(readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return null
  }
}

/**
 * The process and all its running descendants. It reads each process of the machine once. The targets of a test live in
 * the process that waits for this; reading again for each member stalled them for ten seconds on a busy machine, and
 * they were called down.
 */
export function familyOf(root: number): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = ids.map((id): readonly [number, number | null] => [Number(id), parentOf(id)])
  const family = [root]
  for (const member of family) family.push(...parents.filter(([, parent]) => parent === member).map(([child]) => child))
  return family
}

export function signal(ids: readonly number[], name: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, name)
    } catch {
      // It has ended already.
    }
  }
}

/** Probing processes among them. */
export function probingOf(ids: readonly number[]): number[] {
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('sensor/process.js')
    } catch {
      return false
    }
  })
}
