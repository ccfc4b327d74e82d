import { fileKeyPattern, managedByPattern, usualMark } from '../domain/configuration/managed-key.ts'
import { isObject } from '../domain/input/json.ts'
import { meantHint } from '../domain/input/nearest-name.ts'
import type { Language } from '../wording/language.ts'
import { FaultyConfiguration, type FileFault, type FilePosition } from './fault.ts'
import type { SourceFile } from './files.ts'
import type { Sources } from './interpolate.ts'
import type { Kind, Model, Path } from './model.ts'
import { readObject } from './read-object.ts'
import { type ReadDocument, readYaml } from './yaml.ts'

/** One object as the files want it. */
export interface Definition {
  readonly kind: Kind
  /** With the key of the object above, for parts: `anna/mail`. */
  readonly key: string
  /** The members that the files give, secrets and files put in. Others are named by key. */
  readonly values: Readonly<Record<string, unknown>>
  /** By leaf: what was put in, to be shown in place of the value. */
  readonly hidden: ReadonlyMap<string, string>
  /** By leaf: the variable of a secret that has no value here. */
  readonly unset: ReadonlyMap<string, string>
  /** The object that is taken over if none has the key. */
  readonly adopt: string | number | null
  /** `services.shop` */
  readonly pointer: string
  positionOf(path: Path): FilePosition
}

export interface Moved {
  readonly kind: Kind
  readonly from: string
  readonly to: string
}

export interface Definitions {
  readonly mark: string
  readonly all: readonly Definition[]
  readonly moved: readonly Moved[]
  /** Sentences for people, about things that may be meant otherwise. */
  readonly notes: readonly string[]
}

export interface Reading {
  readonly model: Model
  readonly sources: Sources
  readonly language: Language
  /** In place of that of the files. */
  readonly mark?: string | undefined
}

interface Gathered {
  readonly definitions: Map<string, Definition>
  readonly moved: Moved[]
  readonly marks: Map<string, FilePosition>
  readonly faults: FileFault[]
}

/** Definitions of all files together; throws all faults at once. */
export function readDefinitions(files: readonly SourceFile[], reading: Reading): Definitions {
  const gathered: Gathered = { definitions: new Map(), moved: [], marks: new Map(), faults: [] }
  for (const file of files) {
    try {
      readDocument(readYaml(file), file, reading, gathered)
    } catch (error) {
      if (!(error instanceof FaultyConfiguration)) throw error
      for (const fault of error.faults) gathered.faults.push(fault)
    }
  }
  const [first, other] = [...gathered.marks]
  if (first !== undefined && other !== undefined && reading.mark === undefined) {
    const message = `The files have different marks, ${first[0]} and ${other[0]}.`
    gathered.faults.push({ place: other[1], pointer: 'managed_by', message })
  }
  if (gathered.faults.length > 0) throw new FaultyConfiguration(gathered.faults)
  const mark = reading.mark ?? first?.[0] ?? usualMark
  const notes = [...gathered.definitions.values()].flatMap(({ pointer, unset }) =>
    [...unset].map(([path, name]) => `${pointer}.${path}: ${name} is not set here; the secret stays as it is.`),
  )
  return { mark, all: [...gathered.definitions.values()], moved: gathered.moved, notes }
}

function readDocument({ value, positionOf }: ReadDocument, file: SourceFile, reading: Reading, into: Gathered): void {
  const fault = (path: Path, message: string) =>
    into.faults.push({ place: positionOf(path), pointer: path.join('.'), message })
  // An empty file, or one with comments alone, defines nothing.
  if (value === null || value === undefined) return
  if (!isObject(value)) return void fault([], 'A file is a map that begins with `version: 1`.')
  if (value['version'] !== 1) fault(Object.hasOwn(value, 'version') ? ['version'] : [], 'Expected `version: 1`.')
  const known = reading.model.kinds.map(({ name }) => name)
  for (const [name, member] of Object.entries(value)) {
    if (name === 'version' || name.startsWith('x-') || member === null) continue
    const kind = reading.model.kinds.find((one) => one.name === name)
    if (kind !== undefined)
      readObjects({ kind, value: member, at: [name], above: null }, { positionOf, file, reading, into, fault })
    else if (name === 'managed_by') readMark(member, positionOf([name]), into)
    else if (name === 'moved') readMoved(member, reading.model, { into, fault })
    else {
      const meant = meantHint(name, [...known, 'version', 'managed_by', 'moved'])
      fault([name], `There is no kind ${name}.${meant} Kinds: ${known.join(', ')}; \`x-…\` holds anything.`)
    }
  }
}

function readMark(value: unknown, position: FilePosition, { marks, faults }: Gathered): void {
  if (typeof value === 'string' && managedByPattern.test(value)) marks.set(value, marks.get(value) ?? position)
  else
    faults.push({
      place: position,
      pointer: 'managed_by',
      message: 'Expected up to 100 letters, digits, `.`, `_`, `:`, `/`, `-`.',
    })
}

type Complain = (path: Path, message: string) => unknown

function readMoved(value: unknown, model: Model, { into, fault }: { into: Gathered; fault: Complain }): void {
  if (!Array.isArray(value)) return void fault(['moved'], 'Expected a list of `{kind, from, to}`.')
  for (const [index, entry] of value.entries()) {
    const { kind: name, from, to, ...others } = isObject(entry) ? entry : {}
    const kind = typeof name === 'string' ? model.get(name) : undefined
    const isRight = typeof from === 'string' && typeof to === 'string' && Object.keys(others).length === 0
    if (kind === undefined || !isRight) fault(['moved', index], 'Expected `{kind, from, to}`: a kind and two keys.')
    else into.moved.push({ kind, from, to })
  }
}

interface Ways {
  readonly positionOf: (path: Path) => FilePosition
  readonly file: SourceFile
  readonly reading: Reading
  readonly into: Gathered
  readonly fault: Complain
}

interface Group {
  readonly kind: Kind
  readonly value: unknown
  readonly at: Path
  /** The key of the object above. */
  readonly above: string | null
}

function readObjects(group: Group, ways: Ways): void {
  const { kind, value, at } = group
  if (!isObject(value)) return void ways.fault(at, `Expected a map of ${kind.name.replaceAll('_', ' ')} by key.`)
  for (const [ownKey, given] of Object.entries(value)) readNamed(group, ownKey, given ?? {}, ways)
}

const keyRule =
  'A key has up to 100 characters `a-z`, `0-9`, `.`, `_`, `-`, and begins and ends with a letter or a digit.'

function readNamed({ kind, at, above }: Group, ownKey: string, members: unknown, ways: Ways): void {
  const { fault, into, positionOf, file, reading } = ways
  const path = [...at, ownKey]
  if (!fileKeyPattern.test(ownKey)) return void fault(path, keyRule)
  const key = above === null ? ownKey : `${above}/${ownKey}`
  const earlier = into.definitions.get(`${kind.name} ${key}`)?.positionOf([])
  if (earlier !== undefined) {
    fault(path, `This ${kind.singular} is defined twice; the other one is in ${earlier.file}, line ${earlier.line}.`)
    return
  }
  if (!isObject(members)) return void fault(path, `Expected the members of a ${kind.singular}.`)
  const { own, parts } = splitParts(kind, members)
  const { sources, language } = reading
  const { faults, ...read } = readObject(kind, own, { at: path, positionOf, file: file.path, sources, language })
  for (const one of faults) into.faults.push(one)
  const positionWithin = (inner: Path) => positionOf([...path, ...inner])
  into.definitions.set(`${kind.name} ${key}`, {
    kind,
    key,
    ...read,
    pointer: path.join('.'),
    positionOf: positionWithin,
  })
  for (const [member, part] of parts) {
    const below = { kind: part, value: members[member], at: [...path, member], above: key }
    if (below.value !== null) readObjects(below, ways)
  }
}

function splitParts(kind: Kind, members: Readonly<Record<string, unknown>>) {
  const parts = Object.entries(kind.parts).filter(([member]) => Object.hasOwn(members, member))
  const own = Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(kind.parts, name)))
  return { own, parts }
}
