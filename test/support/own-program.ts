import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * The file of a test's own program, for `node`. It is built in advance, because loading its sources takes three times
 * as long.
 */
export function ownProgram(name: string): string {
  return join(inject('ownPrograms'), `${name}.js`)
}

/**
 * The file of a part of the built program, for tests that start it many times. Tests of starting itself use `dist/`.
 */
export function wholeProgram(part: 'main' | 'cli'): string {
  return join(inject('wholeProgram'), `${part}.js`)
}
