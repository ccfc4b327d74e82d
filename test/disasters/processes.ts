import { readdirSync, readFileSync } from 'node:fs'

function childrenOf(parent: number): number[] {
  const isChild = (id: string) => {
    try {
      return Number(readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1]) === parent
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number)
}

/** The process and all that it started, as far as that runs. */
export function familyOf(root: number): number[] {
  const family = [root]
  for (const id of family) family.push(...childrenOf(id))
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
