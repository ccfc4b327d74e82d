import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The processes that a process has started, and theirs; empty where the system does not tell. */
export function descendants(of: number): number[] {
  if (!existsSync('/proc/self/stat')) return []
  const parents = readdirSync('/proc').flatMap((name) => {
    const id = Number(name)
    return Number.isInteger(id) ? [[id, parentOf(id)] as const] : []
  })
  const found = [of]
  for (const id of found) for (const [child, parentId] of parents) if (parentId === id) found.push(child)
  return found.slice(1)
}

function parentOf(id: number): number | null {
  try {
    // The name before it may hold anything, a bracket too.
    return Number(readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return null
  }
}

export function runs(id: number): boolean {
  return parentOf(id) !== null
}
