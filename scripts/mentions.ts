import type { Operation } from '../src/rest/call.ts'

const methods = 'GET|HEAD|POST|PUT|DELETE'
const literal = /'(?<plain>(?:\/|\$\{)[^'\n]*)'|`(?<template>(?:\/|\$\{)[^`\n]*)`/.source
/** A method directly before the path, or with the name of a case between them; or a name that the path is given. */
const request = new RegExp(
  String.raw`(?:'(?<method>${methods})',\s*(?:'[^'/\n]*',\s*)?(?:\(?\w*\)?\s*=>\s*)?|\bconst (?<name>\w+) = )?(?:${literal})`,
  'g',
)

/** Stands for what a template fills in. */
const filledIn = '\0'

interface Mention {
  readonly methods: readonly string[]
  readonly segments: readonly string[]
}

/** The methods that a name is called with; what a function of the file is given is read. */
function methodsWith(name: string | undefined, text: string): readonly string[] {
  const calls = name === undefined ? [] : [...text.matchAll(new RegExp(`'(${methods})',\\s*\\W{0,3}${name}\\b`, 'g'))]
  return calls.length === 0 ? ['GET'] : calls.map(([, method = '']) => method)
}

function mentionOf(match: RegExpExecArray, text: string): Mention {
  const { method, name, plain, template } = match.groups ?? {}
  const path = (plain ?? template ?? '').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, filledIn)
  const [withoutQuery = ''] = path.split('?')
  const used = method === undefined ? methodsWith(name, text) : [method]
  return {
    methods: used.map((one) => (one === 'HEAD' ? 'GET' : one)),
    segments: withoutQuery.replace(/^\//, '').split('/'),
  }
}

function segmentsOf({ path }: Operation): readonly string[] {
  return path.slice(1).split('/')
}

/** Puts the paths that have a name where the name is filled in; a name with several stays. */
function withNamedPaths(text: string): string {
  const named = new Map<string, Set<string>>()
  for (const [, name = '', path = ''] of text.matchAll(/\bconst (\w+) = ['`](\/[^'`\n]*)['`]/g)) {
    named.set(name, (named.get(name) ?? new Set()).add(path))
  }
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
    const [path, ...others] = named.get(name) ?? []
    return path === undefined || others.length > 0 ? whole : path
  })
}

/** The operations that a test file calls, as far as its text tells: ids. */
export function mentionsIn(source: string, operations: readonly Operation[]): ReadonlySet<string> {
  const text = withNamedPaths(source)

  /** An inserted expression matches a parameter, or a name that the file has in quotation marks. */
  function fits(segments: readonly string[], wanted: readonly string[]): boolean {
    if (segments.length !== wanted.length) return false
    return wanted.every((want, index) => {
      const segment = segments[index] ?? ''
      if (want.startsWith('{')) return segment !== ''
      return segment === want || (segment === filledIn && text.includes(`'${want}'`))
    })
  }

  /** `${path}/archive`: the end of a path whose beginning is elsewhere in the file. */
  function byEnding(mention: Mention): readonly Operation[] {
    const { methods: called, segments } = mention
    const ending = segments[0] === filledIn ? segments.slice(1) : segments
    return operations.filter((operation) => {
      const wanted = segmentsOf(operation)
      if (!called.includes(operation.method) || wanted.length <= ending.length) return false
      const end = wanted.slice(-ending.length)
      const isNamed = ending.some((segment, index) => segment === end[index])
      return isNamed && fits(ending, end) && new RegExp(`['\`]/${wanted[0]}\\b`).test(text)
    })
  }

  const found = [...text.matchAll(request)]
    .map((match) => mentionOf(match, text))
    .flatMap((mention) => {
      const whole = operations.filter(
        (operation) => mention.methods.includes(operation.method) && fits(mention.segments, segmentsOf(operation)),
      )
      return whole.length > 0 ? whole : byEnding(mention)
    })
  return new Set(found.map(({ id }) => id))
}
