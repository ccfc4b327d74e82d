import { readdirSync, readFileSync } from 'node:fs'

/** This process and all that it and theirs began and that still run, as Linux tells; the process alone where it does not. */
export function familyOf(processId: number): readonly number[] {
  const found = new Set([processId])
  for (const id of found) for (const child of childrenOf(id)) found.add(child)
  return [...found]
}

/** Of each of its threads: a browser begins some processes from threads of their own. */
function childrenOf(processId: number): readonly number[] {
  const directory = `/proc/${processId}/task`
  return orNothing(() => readdirSync(directory)).flatMap((thread) =>
    orNothing(() => readFileSync(`${directory}/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number)),
  )
}

/** Processes and threads end while they are looked at; not every system tells of children. */
function orNothing<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}
