import { isObject } from '../domain/input/json.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { Field } from '../rest/fields.ts'
import { readBody } from '../rest/input.ts'
import { problemBody } from '../rest/problems.ts'
import type { Language } from '../wording/language.ts'
import type { FileFault, FilePosition } from './fault.ts'
import { asPlaceholder, interpolate, type Sources } from './interpolate.ts'
import { type Kind, mapReferences, type Path } from './model.ts'

interface ReadingOne {
  readonly at: Path
  readonly positionOf: (path: Path) => FilePosition
  readonly file: string
  readonly sources: Sources
  readonly language: Language
}

interface ReadObject {
  readonly values: Readonly<Record<string, unknown>>
  readonly hidden: ReadonlyMap<string, string>
  readonly unset: ReadonlyMap<string, string>
  readonly adopt: string | number | null
  readonly faults: readonly FileFault[]
}

/** `data.steps[0].contact_ids[1]` → the steps below the object. */
export function pathOfField(field: string | undefined): Path {
  return (field ?? '')
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** The leaf to which a place within an object belongs. */
function leafOf({ configuration: { merged = [] } }: Kind, path: Path): string {
  return path.slice(0, merged.includes(String(path[0])) ? 2 : 1).join('.')
}

/** The members of one object, with values put in and types checked. Nothing is asked of an installation. */
export function readObject(kind: Kind, given: Readonly<Record<string, unknown>>, reading: ReadingOne): ReadObject {
  const { at, positionOf, language } = reading
  const faults: FileFault[] = []
  const fault = (path: Path, message: string) =>
    faults.push({ place: positionOf([...at, ...path]), pointer: [...at, ...path].join('.'), message })
  const { adopt = null, ...members } = given
  if (adopt !== null && typeof adopt !== 'number' && typeof adopt !== 'string') {
    fault(['adopt'], 'Expected the number of the object that is taken over.')
  }
  const filled = fill(kind, members, { reading, fault })
  const values = without(kind, filled.values, filled.unset)
  const known = readBody(kind.members, checkable(kind, values), 0)
  const found = [...known.problems, ...referenceProblems(kind, values)]
  const isWhole = found.length === 0 && faults.length === 0
  const problems = isWhole ? (kind.configuration.problems?.(values) ?? []) : found
  const messages = problemBody(problems, language)
  for (const [index, problem] of problems.entries()) {
    const path = pathOfField(problem.field)
    fault(path, `${String(messages[index]?.['message'])}${quotesHint(problem, valueAt(values, path))}`)
  }
  return { ...filled, values, adopt: typeof adopt === 'object' ? null : (adopt as string | number), faults }
}

function valueAt(values: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)] as unknown
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }, values)
}

/** `name: 12` is a number in YAML, and `name: true` is no text either. */
function quotesHint({ error, facts }: Problem, value: unknown): string {
  const isMeant = error === 'incorrect_type' && facts?.['expected'] === 'string'
  return isMeant && ['number', 'boolean'].includes(typeof value) ? ` Write it in quotes: "${String(value)}".` : ''
}

interface Filling {
  readonly reading: ReadingOne
  readonly fault: (path: Path, message: string) => unknown
}

function fill(kind: Kind, members: Readonly<Record<string, unknown>>, { reading, fault }: Filling) {
  const hidden = new Map<string, string>()
  const unset = new Map<string, string>()
  const secrets = kind.configuration.secrets?.(members) ?? []
  const filled = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((element: unknown, index) => filled(element, [...path, index]))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, [...path, name])]))
    }
    if (typeof value !== 'string') return value
    const leaf = leafOf(kind, path)
    const isSecret = secrets.includes(leaf)
    const put = interpolate(isSecret ? asPlaceholder(value) : value, reading.file, reading.sources)
    if (put.from.length > 0) hidden.set(leaf, put.from.join(' '))
    for (const message of put.faults) fault(path, message)
    const [missing] = put.unset
    if (missing !== undefined) {
      if (isSecret) unset.set(leaf, missing)
      else fault(path, `${missing} is not set.`)
    }
    return put.text
  }
  return { values: filled(members, []) as Readonly<Record<string, unknown>>, hidden, unset }
}

/** The values but for secrets that are not known here. */
function without(kind: Kind, values: Readonly<Record<string, unknown>>, leaves: ReadonlyMap<string, string>) {
  if (leaves.size === 0) return values
  const { merged = [] } = kind.configuration
  const kept = Object.entries(values).flatMap(([member, value]) => {
    if (leaves.has(member)) return []
    if (!merged.includes(member) || !isObject(value)) return [[member, value] as const]
    const own = Object.entries(value).filter(([name]) => !leaves.has(`${member}.${name}`))
    return [[member, Object.fromEntries(own)] as const]
  })
  return Object.fromEntries(kept)
}

/** Each name of another object as a number, as the API will get it. */
function checkable(kind: Kind, values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return mapReferences(kind, values, (name, { by }) => (isName(name) && by === undefined ? 1 : name))
}

function isName(name: unknown): boolean {
  return typeof name === 'string' || typeof name === 'number'
}

const named: Field = { kind: 'text' }

function referenceProblems(kind: Kind, values: Readonly<Record<string, unknown>>): readonly Problem[] {
  const problems: Problem[] = []
  mapReferences(kind, values, (name, _reference, path) => {
    if (!isName(name)) {
      const field = ['data', ...path].join('.')
      problems.push({ error: 'incorrect_type', field, facts: { expected: named.kind } })
    }
    return name
  })
  return problems
}
