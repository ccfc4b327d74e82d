import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'

/** Where values of `${NAME}` and files come from. */
export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Variables that files may name: all without a prefix. */
  readonly prefix: string | null
  /** Folders within which files may be read; null: anywhere. */
  readonly folders: readonly string[] | null
}

export interface Interpolated {
  readonly text: string
  /** The placeholders, for people: `${SECRET_A}`, `file:a.txt`. Empty: the text is the file's own. */
  readonly from: readonly string[]
  /** Variables that have no value. */
  readonly unset: readonly string[]
  readonly faults: readonly string[]
}

const largestBytes = 1024 * 1024
/** A value that files put together is no longer than this. */
const longestText = 4 * 1024 * 1024
/** Bytes that one run reads of files in all. */
const mostBytes = 64 * 1024 * 1024
// Without `{`, so that a text of many beginnings without an end is read once.
const placeholder = /\$\$\{|\$\{([^{}]*)\}/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

const readBytes = new WeakMap<Sources, number>()

/** Throws a sentence for a person. */
function fileText(written: string, ownFile: string, sources: Sources): string {
  const { folders } = sources
  const path = resolve(dirname(ownFile), written)
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    throw new Error(`There is no file ${written}.`)
  }
  const isWithin = folders === null || folders.some((folder) => real.startsWith(resolve(folder) + sep))
  if (!isWithin) throw new Error(`The file ${written} lies outside of the folders that may be read.`)
  const found = statSync(real)
  if (!found.isFile() || found.size > largestBytes) throw new Error(`${written} is no file of at most 1 MiB.`)
  const bytes = (readBytes.get(sources) ?? 0) + found.size
  readBytes.set(sources, bytes)
  if (bytes > mostBytes) throw new Error(`Files that are put in have at most ${mostBytes / 1024 / 1024} MiB in all.`)
  return readFileSync(real, 'utf8').replace(/\r?\n$/, '')
}

/** Puts values in place of `${NAME}` and `${file:PATH}`; `$${` stands for `${`. */
export function interpolate(written: string, ownFile: string, sources: Sources): Interpolated {
  const from: string[] = []
  const unset: string[] = []
  const faults: string[] = []
  let length = 0
  const text = written.replaceAll(placeholder, (whole, name: string | undefined) => {
    if (name === undefined) return '${'
    from.push(whole)
    const put = length > longestText ? { text: '' } : textFor(name, ownFile, sources)
    if ('fault' in put) faults.push(put.fault)
    if ('unset' in put) unset.push(put.unset)
    const value = 'text' in put ? put.text : ''
    length += value.length
    return value
  })
  if (length > longestText) faults.push(`A text has at most ${longestText / 1024 / 1024} MiB of what is put in.`)
  return { text, from, unset, faults }
}

function textFor(
  name: string,
  ownFile: string,
  sources: Sources,
): { readonly text: string } | { readonly fault: string } | { readonly unset: string } {
  if (name.startsWith('file:')) {
    try {
      return { text: fileText(name.slice('file:'.length), ownFile, sources) }
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) }
    }
  }
  const fault = nameFault(name, sources.prefix)
  if (fault !== null) return { fault }
  const { environment } = sources
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  return value === undefined ? { unset: name } : { text: value }
}

function nameFault(name: string, prefix: string | null): string | null {
  if (!variableName.test(name)) {
    return `\${${name}} names no variable; write $\${ for the characters themselves.`
  }
  return prefix === null || name.startsWith(prefix)
    ? null
    : `Only variables that begin with ${prefix} may be named here.`
}

/** `file:PATH` alone is a secret in a file. */
export function asPlaceholder(written: string): string {
  return /^file:[^{}]+$/.test(written) ? `\${${written}}` : written
}

/** The text as it stands in a file, so that nothing is put in. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${')
}
