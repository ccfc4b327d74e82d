import type { Operation } from '../../src/rest/call.ts'
import { isForEverybody } from '../support/furnished.ts'

const isFree = ({ access }: Operation) => access === 'public' || access === 'open'
const hasParameters = ({ path }: Operation) => path.includes('{')

/**
 * The duties of every operation of a kind, checked by operations.test.ts and listed in docs/api-coverage.md: number →
 * sentence and kind.
 */
export const duties = {
  1: { sentence: 'asks who calls before anything else', of: (operation: Operation) => !isFree(operation) },
  2: { sentence: 'is not for administrators', of: ({ access }: Operation) => access === 'customer' },
  3: { sentence: 'is not for customers', of: ({ access }: Operation) => access === 'administrator' },
  4: { sentence: 'takes JSON only', of: ({ body }: Operation) => body !== undefined },
  5: {
    sentence: 'answers its owner what is described',
    // Open operations have secrets of their own. A stream has no end: test/rest/event-stream.test.ts listens to it.
    of: ({ method, access, isStream }: Operation) => method === 'GET' && access !== 'open' && isStream !== true,
  },
  6: { sentence: 'stands in the methods of its path, and the others are refused', of: () => true },
  7: {
    sentence: 'is not found below an object that is not there',
    of: (operation: Operation) => hasParameters(operation) && operation.access !== 'open',
  },
  8: {
    sentence: 'hides what belongs to strangers',
    of: (operation: Operation) =>
      hasParameters(operation) &&
      !isFree(operation) &&
      operation.access !== 'administrator' &&
      !isForEverybody(operation.path),
  },
} as const

export type Duty = keyof typeof duties
