import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { type Fault, FaultyConfiguration, type Place } from './fault.ts'
import type { SourceFile } from './files.ts'
import type { Path } from './model.ts'

/** A file that was understood: its value, and where each part of it stands. */
export interface ReadDocument {
  readonly value: unknown
  placeOf(path: Path): Place
}

/** An alias may stand for this many nodes in all; more is a file that was made to fill the memory. */
const mostAliases = 20_000
const mostValues = 2_000_000
const deepest = 60

function nextNode(node: Node, step: string | number): { key: Node; value: Node | null } | null {
  if (isSeq(node)) {
    const item = node.items[Number(step)]
    return isNode(item) ? { key: item, value: item } : null
  }
  if (!isMap(node)) return null
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  return pair !== undefined && isNode(pair.key)
    ? { key: pair.key, value: isNode(pair.value) ? pair.value : null }
    : null
}

/** Refuses what an honest file never has. Aliases make values that are met again and again. */
function count(value: unknown, depth = 0, seen = { values: 0 }): void {
  seen.values += 1
  if (seen.values > mostValues) throw new Error(`The file has more than ${mostValues} values.`)
  if (depth > deepest) throw new Error(`The file is more than ${deepest} levels deep.`)
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) count(member, depth + 1, seen)
}

export function readYaml({ path: file, text }: SourceFile): ReadDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  })
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  const faults: Fault[] = document.errors.map(({ pos, message }) => ({
    ...{ place: placeAt(pos[0]), pointer: '' },
    message: message.split('\n')[0] ?? '',
  }))
  if (faults.length > 0) throw new FaultyConfiguration(faults)
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliases })
    count(value)
    return { value, placeOf: (path) => placeAt(offsetOf(path)) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new FaultyConfiguration([{ place: { file, line: 1, column: 1 }, pointer: '', message }])
  }
  /** Members from an alias or `<<` have the place of those. */
  function offsetOf(path: Path): number {
    let node: Node | null = document.contents
    let offset = node?.range?.[0] ?? 0
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(document) ?? null
      const next: { key: Node; value: Node | null } | null = node === null ? null : nextNode(node, step)
      if (next === null) return offset
      offset = next.key.range?.[0] ?? offset
      node = next.value
    }
    return offset
  }
}
