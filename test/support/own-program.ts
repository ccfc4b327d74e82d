import { join } from 'node:path'
import { inject } from 'vitest'

/** The file of a program of the tests' own, for `node`: built before, as loading its sources takes three times as long. */
export function ownProgram(name: string): string {
  return join(inject('ownPrograms'), `${name}.js`)
}

/** The file of a part of the built program, for tests that start it many times. What is told of starting itself is tried on `dist/`. */
export function wholeProgram(part: 'main' | 'cli'): string {
  return join(inject('wholeProgram'), `${part}.js`)
}
