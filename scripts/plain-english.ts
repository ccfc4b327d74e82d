// Refuses comments that are hard to read: lines over 120 characters, and headless clauses such as "Of an owner."
// It reads the comments that stand on lines of their own, in every source file, and the descriptions of the API.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const longest = 120
const folders = ['client', 'src', 'web', 'test', 'bench', 'scripts']
const extensions = /\.(ts|tsx|mjs|js|css)$/
const generated = ['client/schema.d.ts', 'test/clients/typescript/', 'test/clients/package/']

/** Beginnings of sentences that a reader has to read twice. Questions are not held to them. */
const headless: readonly { readonly begins: RegExp; readonly advice: string }[] = [
  { begins: /^What(ever)? /, advice: 'name the thing: "What a check reads" → "The settings of a check"' },
  { begins: /^Who(m|se|ever|mever)? /, advice: 'name the person or the program: "Who waits" → "The waiting caller"' },
  // "Of several requests, one succeeds." has a main clause after its comma.
  { begins: /^Of (?!.*, )/, advice: 'name the thing: "Of an owner." → "Per owner." or "The owner\'s own …"' },
  { begins: /^Those (of|that|who|which|with|by) /, advice: 'name the things: "Those of mail." → "Variables of mail."' },
  {
    begins: /^So (many|much|long|often) /,
    advice: 'name the number: "So many checks wait." → "The number of waiting …"',
  },
  { begins: /^Told /, advice: 'say what happens: "Told when it ends." → "Called when it ends."' },
]

interface Line {
  readonly number: number
  readonly length: number
  readonly text: string
}

export interface Fault {
  readonly line: number
  readonly advice: string
}

type Kind = 'none' | 'block' | 'lines'

/** Each comment as its lines, without the signs of comments. */
function commentsOf(source: string): readonly (readonly Line[])[] {
  const comments: Line[][] = []
  let kind: Kind = 'none'
  for (const [index, whole] of source.split('\n').entries()) {
    const trimmed = whole.trim()
    const now: Kind =
      kind === 'block' || /^\{?\/\*/.test(trimmed) ? 'block' : trimmed.startsWith('//') ? 'lines' : 'none'
    if (now !== 'none') {
      if (now !== kind) comments.push([])
      const text = trimmed.replace(/^(\{?\/\*+|\*+(?!\/)|\/\/+)\s?|\s*\*\/\}?$/g, '').trim()
      comments.at(-1)?.push({ number: index + 1, length: whole.length, text })
    }
    kind = now === 'block' && trimmed.includes('*/') ? 'none' : now
  }
  return comments
}

/** A lone address, a row of a table and an order to biome cannot be wrapped. */
function isProse(text: string): boolean {
  return text.includes(' ') && !/^(\||biome-ignore)/.test(text)
}

/** Each sentence with the line on which it begins. */
function sentencesOf(lines: readonly Line[]): readonly { readonly line: number; readonly text: string }[] {
  const all = lines.map(({ text }) => text).join('\n')
  const starts = [0, ...[...all.matchAll(/[.!?]\s+(?=[A-Z])|\n\n/g)].map((found) => found.index + found[0].length)]
  return starts.map((start, place) => ({
    line: lines[all.slice(0, start).split('\n').length - 1]?.number ?? 0,
    text: all
      .slice(start, starts[place + 1])
      .replaceAll('\n', ' ')
      .trim(),
  }))
}

/** Descriptions of the API that begin with "Of", as in "Of the group.". */
function descriptionFaults(source: string): readonly Fault[] {
  return [...source.matchAll(/\babout:\s*['"`](Of .*)/g)].map((found) => ({
    line: source.slice(0, found.index).split('\n').length,
    advice: `"${(found[1] ?? '').slice(0, 50)}": name the thing: "Of the group." → "The name of the group."`,
  }))
}

export function faultsOf(source: string): readonly Fault[] {
  const comments = commentsOf(source).flatMap((lines) => [
    ...lines
      .filter(({ length, text }) => length > longest && isProse(text))
      .map(({ number, length }) => ({ line: number, advice: `${length} characters: wrap at ${longest}, or say less` })),
    ...sentencesOf(lines)
      .filter(({ text }) => !text.endsWith('?'))
      .flatMap(({ line, text }) => {
        const found = headless.find(({ begins }) => begins.test(text))
        return found === undefined ? [] : [{ line, advice: `"${text.slice(0, 50)}": ${found.advice}` }]
      }),
  ])
  return [...comments, ...descriptionFaults(source)]
}

function main(): void {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = folders
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${String(name)}`),
    )
    .filter((file) => extensions.test(file) && !generated.some((begin) => file.startsWith(begin)))
  const faults = files
    .toSorted()
    .flatMap((file) =>
      faultsOf(readFileSync(`${root}${file}`, 'utf8')).map(({ line, advice }) => `${file}:${line}: ${advice}`),
    )
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) console.log(`\n${faults.length} faults in comments; CONTRIBUTING.md, Words, says how to write`)
  process.exitCode = faults.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
