import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { FaultyConfiguration, type FileFault, type FilePosition } from './fault.ts'
import type { SourceFile } from './files.ts'
import type { Path } from './model.ts'
import { deepest, mostValues, positionIn, tooDeep, tooMuchIn } from './yaml-bounds.ts'

/** A file that was understood: its value, and where each part of it stands. */
export interface ReadDocument {
  readonly value: unknown
  positionOf(path: Path): FilePosition
}

/** An alias is found by looking at those before it. */
const mostAliases = 20_000

type PositionAt = (offset: number) => FilePosition

/** Keys of maps with their pairs: files may have maps of many keys. */
class Keys {
  readonly #known = new WeakMap<YAMLMap, ReadonlyMap<string, { readonly key: Node; readonly value: Node | null }>>()

  of(map: YAMLMap) {
    const known = this.#known.get(map)
    if (known !== undefined) return known
    const pairs = map.items.flatMap(({ key, value }) =>
      isScalar(key) ? [[String(key.value), { key: key as Node, value: isNode(value) ? value : null }] as const] : [],
    )
    const keys = new Map(pairs)
    this.#known.set(map, keys)
    return keys
  }
}

/**
 * Refuses what an honest file never has, before anything is made of it: depth, circles, and aliases that stand for each
 * other again and again.
 */
class Bounds {
  /** The place of what was looked at last. */
  offset = 0
  readonly #sizes = new Map<Node, number>()
  /** By name: the last one so far. */
  readonly #anchors = new Map<string, Node>()
  readonly targets = new Map<Node, Node>()
  readonly #open = new Set<Node>()
  readonly faults: { readonly offset: number; readonly message: string }[] = []

  /** The number of values that the node stands for. */
  sizeOf(node: unknown, depth = 0): number {
    if (depth > deepest) throw new Error(tooDeep)
    if (isPair(node)) return this.#limited(this.sizeOf(node.key, depth) + this.sizeOf(node.value, depth))
    if (!isNode(node)) return 0
    const known = this.#sizes.get(node)
    if (known !== undefined) return known
    this.offset = node.range?.[0] ?? this.offset
    if (this.#open.has(node)) throw new Error('The file has an alias that stands for what it is in.')
    this.#open.add(node)
    if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node)
    const size = isAlias(node) ? this.#aliased(node, depth) : this.#own(node, depth)
    this.#open.delete(node)
    this.#sizes.set(node, size)
    return size
  }

  #aliased(alias: Alias, depth: number): number {
    this.offset = alias.range?.[0] ?? this.offset
    const target = this.#anchors.get(alias.source)
    if (target === undefined) throw new Error(`There is no anchor ${alias.source} before its alias.`)
    if (this.#open.has(target)) throw new Error('The file has an alias that stands for what it is in.')
    this.targets.set(alias, target)
    if (this.targets.size > mostAliases) throw new Error(`The file has more than ${mostAliases} aliases.`)
    return this.sizeOf(target, depth + 1)
  }

  #own(node: Node, depth: number): number {
    if (!isCollection(node)) return 1
    if (isMap(node)) this.#readKeys(node)
    let size = 1
    for (const item of node.items) size = this.#limited(size + this.sizeOf(item, depth + 1))
    return size
  }

  #limited(size: number): number {
    if (size > mostValues) throw new Error(`The file has more than ${mostValues} values, those of aliases included.`)
    return size
  }

  /** A key is the text that stands there: `1.10` is no number, which would lose its end. */
  #readKeys(map: YAMLMap): void {
    const seen = new Set<string>()
    for (const { key } of map.items) {
      if (!isScalar(key)) continue
      if (typeof key.value !== 'string' && key.tag === undefined) key.value = key.source ?? ''
      if (key.value === '<<') continue
      const name = String(key.value)
      if (seen.has(name)) this.faults.push({ offset: key.range?.[0] ?? 0, message: `The key ${name} stands twice.` })
      seen.add(name)
    }
  }
}

function refusalAt(position: FilePosition, error: unknown): FaultyConfiguration {
  // The parser goes as deep as the file.
  const message = error instanceof RangeError ? tooDeep : error instanceof Error ? error.message : String(error)
  return new FaultyConfiguration([{ place: position, pointer: '', message }])
}

function messageOf(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'A file holds one document: put what follows `---` into a file of its own.'
  return message.includes('call stack') ? tooDeep : (message.split('\n')[0] ?? '')
}

function parse(text: string, positionAt: PositionAt, lines: LineCounter) {
  // Keys that stand twice are found below: the parser compares each with all others.
  const options = {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  } as const
  const document = parseDocument(text, options)
  const faults: FileFault[] = document.errors.map(({ pos, code, message }) => ({
    ...{ place: positionAt(pos[0]), pointer: '' },
    message: messageOf(code, message),
  }))
  if (faults.length > 0) throw new FaultyConfiguration(faults)
  const bounds = new Bounds()
  try {
    bounds.sizeOf(document.contents)
  } catch (error) {
    throw refusalAt(positionAt(bounds.offset), error)
  }
  const twice = bounds.faults.map(({ offset, message }) => ({ place: positionAt(offset), pointer: '', message }))
  if (twice.length > 0) throw new FaultyConfiguration(twice)
  return { document, targets: bounds.targets, value: document.toJS({ maxAliasCount: -1 }) as unknown }
}

export function readYaml({ path: file, text }: SourceFile): ReadDocument {
  const tooMuch = tooMuchIn(text)
  if (tooMuch !== null) {
    const place = { file, ...positionIn(text, tooMuch.offset) }
    throw new FaultyConfiguration([{ place, pointer: '', message: tooMuch.message }])
  }
  const lines = new LineCounter()
  const positionAt: PositionAt = (offset) => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  try {
    const { document, targets, value } = parse(text, positionAt, lines)
    const ways = { targets, keys: new Keys() }
    return { value, positionOf: (path) => positionAt(offsetOf(path, document, ways)) }
  } catch (error) {
    throw error instanceof FaultyConfiguration ? error : refusalAt({ file, line: 1, column: 1 }, error)
  }
}

interface Ways {
  /** The nodes that aliases stand for. */
  readonly targets: ReadonlyMap<Node, Node>
  readonly keys: Keys
}

function nextNode(node: Node, step: string | number, keys: Keys): { key: Node; value: Node | null } | null {
  if (!isSeq(node)) return isMap(node) ? (keys.of(node).get(String(step)) ?? null) : null
  const item = node.items[Number(step)]
  return isNode(item) ? { key: item, value: item } : null
}

/** Members from an alias or `<<` have the place of those. */
function offsetOf(path: Path, document: Document, { targets, keys }: Ways): number {
  let node: Node | null = isNode(document.contents) ? document.contents : null
  let offset = node?.range?.[0] ?? 0
  for (const step of path) {
    if (isAlias(node)) node = targets.get(node) ?? null
    const next = node === null ? null : nextNode(node, step, keys)
    if (next === null) return offset
    offset = next.key.range?.[0] ?? offset
    node = next.value
  }
  return offset
}
