import { expect, it } from 'vitest'
import { faultsOf } from '../scripts/plain-english.ts'

const linesOf = (source: string) => faultsOf(source).map(({ line }) => line)

it('refuses lines of prose over 120 characters', () => {
  const prose = (length: number) => `// ${'word '.repeat(40).slice(0, length - 3)}`
  expect(linesOf(prose(120))).toEqual([])
  expect(linesOf(`const a = 1\n${prose(121)}`)).toEqual([2])
  expect(linesOf(`// https://example.com/${'a'.repeat(120)}`)).toEqual([])
})

it('refuses headless sentences, wherever in a comment they begin', () => {
  expect(linesOf('/** What a check reads of its job. */')).toEqual([1])
  expect(linesOf('/** Of an owner. */')).toEqual([1])
  expect(linesOf('/**\n * The address.\n * Whoever has it may write there.\n */')).toEqual([3])
  expect(linesOf('// Runs once. Those of mail\n// run twice.')).toEqual([1])
})

it('leaves questions, main clauses and code alone', () => {
  expect(linesOf('/** Who is it? */')).toEqual([])
  expect(linesOf('/** Of several requests with one code, one succeeds. */')).toEqual([])
  expect(linesOf("const text = 'What is this'\nconst other = `\nWhat is that`")).toEqual([])
})

it('refuses descriptions of the API that begin with "Of"', () => {
  const described = (text: string) => `const a = text({\n  about:\n    '${text}',\n})`
  expect(linesOf(described('Of the group.'))).toEqual([2])
  expect(linesOf(described('The name of the group.'))).toEqual([])
})
