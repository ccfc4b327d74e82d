import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Every regular expression of the product is run on texts that make it search for long. Twice the text may take twice
 * the time. Four times is too much: a header of sixty thousand characters once took half a minute.
 */

interface Found {
  readonly place: string
  readonly pattern: RegExp
}

/** Where a value begins; formatted code has no other slashes there. */
const literal =
  /(?<=(?:[=(:,!?[{;|&>]|\breturn)\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?![\w/])/g

function patternsOf(path: string): Found[] {
  const code = readFileSync(path, 'utf8').replaceAll(/^\s*(\/\*\*|\*).*$/gm, '')
  return [...code.matchAll(literal)].map(([, source = '', flags]) => ({
    place: `${path} /${source}/`,
    pattern: new RegExp(source, flags),
  }))
}

const found = readdirSync('src', { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .flatMap((entry) => patternsOf(join(entry.parentPath, entry.name)))

/** Where a text is short whoever writes it, or is the operator's own. */
const exceptions: Readonly<Record<string, string>> = {
  '/\\/+$/': 'addresses of the operator',
  '/^[ .]+|[ .]+$/': 'the first hundred characters of a name',
  '/^([^/?#]*?):[^/?#]*@/': 'the address of a service, 2048 characters at most',
}

const repeated = [
  ' ',
  '\t',
  'a',
  'Z',
  '0',
  '1',
  '.',
  '-',
  ':',
  '/',
  '@',
  '=',
  ',',
  '"',
  '\\',
  '{',
  '[',
  'ż',
  '1.',
  ' a',
]
const heads = ['', 'a', '"', 'a:', 'a=', '[', '{{', '{{a', 'bytes=1-1', 'Bearer a', 'charset=', '"error"', 'a@', '0x']
const tails = ['', '\u0001', 'b']
/** Short ones for what doubles with each character, before the long ones for what grows with the square. */
const lengths = [22, 600, 8192]

const texts = lengths.map((length) =>
  heads.flatMap((head) =>
    repeated.flatMap((part) => tails.map((tail) => head + part.repeat(length / part.length) + tail)),
  ),
)

/** Milliseconds that a text of eight thousand characters takes no pattern that goes through it once. */
const noticed = 15

function timeOf(pattern: RegExp, text: string): number {
  const startedAt = performance.now()
  pattern.test(text)
  return performance.now() - startedAt
}

/**
 * A text that keeps the pattern busy; null if there is none. The shortest of several times counts, because others keep
 * the machine busy too.
 */
function busyWith({ source, flags }: RegExp): string | null {
  const pattern = new RegExp(source, flags.replace(/[gy]/, ''))
  const isSlow = (text: string) => [1, 2, 3, 4].every(() => timeOf(pattern, text) > noticed)
  const found = texts.flat().find(isSlow)
  return found === undefined ? null : JSON.stringify(`${found.slice(0, 20)}…${found.slice(-5)}`)
}

test('all of them are found', () => {
  expect(found.length).toBeGreaterThan(120)
  expect(found.map(({ place }) => place)).toContain(
    'src/domain/services/scenario-secrets.ts /\\{\\{\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*\\}\\}/',
  )
})

test('a pattern that searches for long is noticed', () => {
  expect(busyWith(/^ *([!-~]+)(?: +(.*?))? *$/)).not.toBeNull()
  expect(busyWith(/^(a+)+$/)).not.toBeNull()
  expect(busyWith(/^[a-z]+=*$/)).toBeNull()
})

test('exceptions are of patterns that there are', () => {
  for (const source of Object.keys(exceptions))
    expect(found.some(({ place }) => place.endsWith(` ${source}`))).toBe(true)
})

test('no text takes a pattern longer than its length', () => {
  const searched = found.filter(({ place }) => exceptions[place.slice(place.indexOf(' ') + 1)] === undefined)
  const busy = searched.map(({ place, pattern }) => [place, busyWith(pattern)]).filter(([, text]) => text !== null)
  expect(busy).toEqual([])
})
