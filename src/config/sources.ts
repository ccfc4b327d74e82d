import { readFileSync } from 'node:fs'
import { nearestName } from '../domain/input/nearest-name.ts'
import type { Variable } from './variable.ts'
import { variables } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConfigFile {
  readonly values: ReadonlyMap<string, string>
  readonly faults: readonly string[]
}

export const noFile: ConfigFile = { values: new Map(), faults: [] }

export function readConfigFile(path: string): ConfigFile {
  try {
    return parseConfigFile(readFileSync(path, 'utf8'), path)
  } catch (error) {
    return { values: new Map(), faults: [`LATARNIK_CONFIG: ${path} cannot be read (${codeOf(error)})`] }
  }
}

function parseConfigFile(content: string, path: string): ConfigFile {
  const values = new Map<string, string>()
  const faults: string[] = []
  for (const [index, line] of content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const place = `${path}:${index + 1}`
    const [, name, value] = /^\s*([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) faults.push(`${place}: must be NAME=value`)
    else if (!isKnown(name)) {
      const nearest = nearestName(name, Object.keys(variables))
      faults.push(`${place}: there is no variable ${name}${nearest === null ? '' : ` (did you mean ${nearest}?)`}`)
    } else if (values.has(name)) faults.push(`${place}: ${name} is given twice`)
    else values.set(name, value.replace(/^(["'])(.*)\1$/, '$2'))
  }
  return { values, faults }
}

/**
 * The value from the first source that has it: under its name, its alias, or for a secret in a file that `NAME_FILE`
 * names.
 */
export function writtenValue(
  name: string,
  definition: Variable<unknown>,
  sources: readonly Environment[],
  faults: string[],
): string | undefined {
  for (const source of sources) {
    const text = given(source[name], definition) ?? given(source[definition.alias ?? name], definition)
    if (text !== undefined) return text
    const path = definition.isSecret === true ? source[fileNameOf(name)] : undefined
    if (path === undefined || path === '') continue
    try {
      return given(readFileSync(path, 'utf8').trim(), definition)
    } catch (error) {
      faults.push(`${fileNameOf(name)}: ${path} cannot be read (${codeOf(error)})`)
      return undefined
    }
  }
  return undefined
}

function fileNameOf(name: string): string {
  return `${name}_FILE`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function isKnown(name: string): boolean {
  const secrets = Object.entries(variables as Readonly<Record<string, Variable<unknown>>>)
  return Object.hasOwn(variables, name) || secrets.some(([own, { isSecret }]) => isSecret && fileNameOf(own) === name)
}

function given(text: string | undefined, definition: Variable<unknown>): string | undefined {
  return text === '' && definition.emptyIsValue !== true ? undefined : text
}
