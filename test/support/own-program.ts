import { join } from 'node:path'
import { inject } from 'vitest'

/** The file of a program of the tests' own, for `node`: built before, as loading its sources takes three times as long. */
export function ownProgram(name: string): string {
  return join(inject('ownPrograms'), `${name}.js`)
}
