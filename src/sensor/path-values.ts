import type { JSONValue } from 'json-p3'
import type { FoundValue, FoundValues } from '../domain/services/assertion.ts'

/** Paths to look for in a JSON or XML text. */
export interface PathWork {
  readonly kind: 'json' | 'xml'
  readonly text: string
  readonly paths: readonly string[]
}

/**
 * By path, the values, or null if they could not be found: the document is too deep for it. `malformed` is the parser's
 * complaint. `entities`: the document declares its own.
 */
export type PathAnswer =
  | { readonly found: readonly (FoundValues | null)[] }
  | { readonly malformed: string }
  | { readonly refused: 'entities' }

type JsonLibrary = Pick<typeof import('json-p3'), 'JSONPathEnvironment'>

/** The thread gets the text of this function, so it refers to nothing but its parameters. */
export function findInJson({ text, paths }: Pick<PathWork, 'text' | 'paths'>, library: JsonLibrary): PathAnswer {
  const most = { values: 1000, characters: 2_000_000, depth: 500 }
  let document: JSONValue
  try {
    document = JSON.parse(text)
  } catch (error) {
    return { malformed: String(error instanceof Error ? error.message : error).slice(0, 200) }
  }
  const environment = new library.JSONPathEnvironment({ maxRecursionDepth: most.depth })
  let left = most.characters
  const read = (value: unknown): FoundValue => {
    const kind =
      value === null
        ? 'null'
        : Array.isArray(value)
          ? 'list'
          : typeof value === 'object'
            ? 'object'
            : typeof value === 'number'
              ? 'number'
              : typeof value === 'boolean'
                ? 'boolean'
                : 'text'
    let whole = ''
    try {
      whole = typeof value === 'string' ? value : JSON.stringify(value)
    } catch {
      // Nested too deep to be written: there is more of it than nothing.
      return { text: whole, kind, isCut: true }
    }
    const isCut = whole.length > left
    const known = isCut ? whole.slice(0, left) : whole
    left -= known.length
    return { text: known, kind, isCut }
  }
  const find = (path: string): FoundValues | null => {
    const values: FoundValue[] = []
    try {
      for (const node of environment.lazyQuery(path, document)) {
        if (values.length >= most.values) return { values, isCut: true }
        values.push(read(node.value))
      }
      return { values, isCut: false }
    } catch {
      return null
    }
  }
  return { found: paths.map(find) }
}

interface XmlNode {
  readonly nodeValue: string | null
  readonly textContent: string | null
  lookupNamespaceURI(prefix: string): string | null
}

/** The value of an XPath. */
interface XPathResult {
  readonly constructor: { readonly name: string }
  toString(): string
  toArray?(): readonly XmlNode[]
}

interface XPathLibrary {
  parse(path: string): {
    evaluate(options: {
      readonly node: unknown
      readonly allowAnyNamespaceForNoPrefix: boolean
      readonly namespaces: (prefix: string) => string
    }): XPathResult
  }
}

interface XmlLibrary {
  readonly DOMParser: new (options: {
    readonly onError: (level: string, message: string) => void
  }) => {
    parseFromString(text: string, type: string): { readonly documentElement: XmlNode | null }
  }
}

/** The thread gets the text of this function, so it refers to nothing but its parameters. */
export function findInXml(
  { text, paths }: Pick<PathWork, 'text' | 'paths'>,
  xpath: XPathLibrary,
  { DOMParser }: XmlLibrary,
): PathAnswer {
  const most = { values: 1000, characters: 2_000_000 }
  if (/<!ENTITY/i.test(text)) return { refused: 'entities' }
  let document: { readonly documentElement: XmlNode | null }
  try {
    const onError = (level: string, message: string): void => {
      if (level !== 'warning') throw new Error(message)
    }
    document = new DOMParser({ onError }).parseFromString(text.replace(/^\uFEFF/, '').trimStart(), 'text/xml')
    if (document.documentElement === null) return { malformed: 'no element' }
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error)
    return { malformed: message.split('\n')[0]?.slice(0, 200) ?? '' }
  }
  const root = document.documentElement
  let left = most.characters
  const read = (whole: string, kind: FoundValue['kind']): FoundValue => {
    const isCut = whole.length > left
    const known = isCut ? whole.slice(0, left) : whole
    left -= known.length
    return { text: known, kind, isCut }
  }
  const find = (path: string): FoundValues | null => {
    try {
      const result = xpath.parse(path).evaluate({
        node: document,
        allowAnyNamespaceForNoPrefix: true,
        // A prefix that the root does not declare finds nothing.
        namespaces: (prefix) => root.lookupNamespaceURI(prefix) ?? 'urn:latarnik:not-declared',
      })
      if (result.toArray === undefined) {
        const name = result.constructor.name
        const kind = name === 'XNumber' ? 'number' : name === 'XBoolean' ? 'boolean' : 'text'
        return { values: [read(result.toString(), kind)], isCut: false }
      }
      const nodes = result.toArray()
      const values = nodes.slice(0, most.values).map((node) => read(node.textContent ?? node.nodeValue ?? '', 'text'))
      return { values, isCut: nodes.length > most.values }
    } catch {
      return null
    }
  }
  return { found: paths.map(find) }
}
