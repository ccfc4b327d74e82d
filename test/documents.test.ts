import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { readmePictures } from '../scripts/readme-pictures.ts'

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/design.md',
  'docs/operations.md',
  'docs/answers.md',
  'docs/choices.md',
  'docs/terms.md',
]
const roots = ['', 'src/', 'test/', 'docs/']

/** `wording/{en,pl}/problems.ts` names two files. */
function spelledOut(path: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(path) ?? []
  return names === '' ? [path] : names.split(',').flatMap((name) => spelledOut(`${before}${name}${after}`))
}

function isThere(path: string): boolean {
  return roots.some((root) => existsSync(`${root}${path}`))
}

/** Files between backticks and behind links; what stands in capitals is to be filled in. */
function filesNamedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w.{},/-]+\/[\w.{},/-]*\.(?:ts|mjs|md|json|yml|tsv))`/g)]
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
  return [...quoted, ...linked].flatMap(([, path = '']) => spelledOut(path)).filter((path) => !/NAME|NNNN/.test(path))
}

const everyName = new Set(
  ['src', 'test', 'docs']
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }))
    .map((path) => basename(path)),
)

const design = readFileSync('docs/design.md', 'utf8')

test('the README is read at one go', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150)
})

test('the walks name files that are there', () => {
  const walks = /### A request\n([\s\S]*?)\n## Recipes/.exec(design)?.[1] ?? ''
  const names = [...walks.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !everyName.has(name))).toEqual([])
})

test.each(documents)('every file that %s names is there', (document) => {
  const named = filesNamedIn(readFileSync(document, 'utf8'))
  const near = document.startsWith('docs/') ? 'docs/' : ''
  expect(named.filter((path) => !isThere(path) && !existsSync(`${near}${path}`))).toEqual([])
})

/** The indented lines below `src/` of the map, up to the two columns that say what each is. */
test('the map has every folder of src', () => {
  const map = /```\nsrc\/\n([\s\S]*?)\ntest\//.exec(design)?.[1] ?? ''
  const drawn = map
    .split('\n')
    .flatMap((line) => [...line.slice(0, 24).matchAll(/([\w-]+)\//g)].map(([, name]) => name))
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(drawn.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

test('the map names every folder of test', () => {
  const map = /\ntest\/ +([\s\S]*?)\nbench\//.exec(design)?.[1] ?? ''
  const folders = readdirSync('test', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(map))).toEqual([])
})

test('every answer that the code refers to has its number', () => {
  const answers = new Set(
    [...readFileSync('docs/answers.md', 'utf8').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number),
  )
  const sources = ['src', 'test', 'bench', 'scripts'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${root}/${path}`),
  )
  const missing = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/answers ((?:§\d+(?:, )?)+)/g)]
      .flatMap(([, list]) => [...(list ?? '').matchAll(/\d+/g)].map(([number]) => number))
      .filter((number) => !answers.has(number))
      .map((number) => `${path}: §${number}`),
  )
  expect(answers.size).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

/** The comments on lines of their own, with the path and the number of each line. */
function commentLines(): readonly { readonly place: string; readonly text: string }[] {
  return ['src', 'web', 'client', 'test', 'bench', 'scripts'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && path !== 'schema.d.ts')
      .flatMap((path) =>
        readFileSync(`${root}/${path}`, 'utf8')
          .split('\n')
          .map((line, index) => ({ place: `${root}/${path}:${index + 1}`, text: line }))
          .filter(({ text }) => /^\s*(\/\/|\/?\*)/.test(text)),
      ),
  )
}

test('the sources and documents that comments name are there', () => {
  const paths = ['.ci', 'src', 'web', 'client', 'test', 'bench', 'scripts', 'docs', 'deploy'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `/${root}/${path}`),
  )
  const named = commentLines().flatMap(({ place, text }) =>
    [...text.matchAll(/(?<![\w/:.{}*-])(?:[\w-]+\/)*[\w-]+(?:\.test)?\.(?:ts|tsx|mjs|md)\b/g)].map(([path]) => ({
      place,
      path,
    })),
  )
  expect(named.length).toBeGreaterThan(50)
  const isKnown = (path: string) => paths.some((known) => known.endsWith(`/${path}`))
  expect(named.filter(({ path }) => !isKnown(path)).map(({ place, path }) => `${place}: ${path}`)).toEqual([])
})

test('the pictures of the documents are English, each has its screen and its look, and they are small', () => {
  const files = readdirSync('docs/pictures')
  expect(files.toSorted()).toEqual(
    Object.keys(readmePictures)
      .map((name) => `${name}.png`)
      .toSorted(),
  )
  for (const [, look] of Object.values(readmePictures)) expect(look.locale).toBe('en-GB')
  for (const file of files) {
    const picture = readFileSync(`docs/pictures/${file}`)
    // Bytes 24 and 25 of a PNG: eight bits a pixel, from a palette.
    expect([file, picture[24], picture[25]]).toEqual([file, 8, 3])
    expect(picture.length).toBeLessThan(80_000)
  }
})
