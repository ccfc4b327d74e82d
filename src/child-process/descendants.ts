import { readdirSync, readFileSync } from 'node:fs'

/** This process and all its running descendants, as Linux reports them; elsewhere the process alone. */
export function familyOf(processId: number): readonly number[] {
  const found = new Set([processId])
  for (const id of found) for (const child of childrenOf(id)) found.add(child)
  return [...found]
}

/** The children of each thread, because a browser starts some processes from threads. */
function childrenOf(processId: number): readonly number[] {
  const directory = `/proc/${processId}/task`
  return orNothing(() => readdirSync(directory)).flatMap((thread) =>
    orNothing(() => readFileSync(`${directory}/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number)),
  )
}

/** Processes and threads end while they are read, and not every system reports children. */
function orNothing<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}
