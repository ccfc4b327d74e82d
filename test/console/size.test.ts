import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consoleDirectory } from '../../src/console/files.ts'

/**
 * KB, compressed by gzip: the files that a browser loads before it shows anything, and the most for any screen that is
 * loaded on opening. The style of screens that few people open comes with those screens.
 */
const limits = { first: 130, style: 11, chunk: 30 }

test('the first files of the console are small, and so is each screen that comes later', () => {
  const directory = consoleDirectory()
  const { script, style, preloaded } = JSON.parse(readFileSync(join(directory, 'first-files.json'), 'utf8')) as {
    readonly script: string
    readonly style: string
    readonly preloaded: readonly string[]
  }
  const sizeOf = (name: string) => readFileSync(join(directory, `${name}.gz`)).length / 1024
  const first = [script, ...preloaded]
  expect(first.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThan(limits.first)
  expect(sizeOf(style)).toBeLessThan(limits.style)
  const later = readdirSync(directory).filter((name) => name.endsWith('.js') && !first.includes(name))
  expect(later.length).toBeGreaterThan(5)
  expect(later.filter((name) => sizeOf(name) > limits.chunk)).toEqual([])
  const styles = readdirSync(directory).filter((name) => name.endsWith('.css') && name !== style)
  expect(styles.length).toBeGreaterThan(5)
  expect(styles.filter((name) => sizeOf(name) > limits.style / 2)).toEqual([])
})
