import { expect, test } from 'vitest'
import { startFault } from './try-browser.ts'

test('a browser that has no room is told apart from one that does not start', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(startFault(full, '/data')).toBe('is not unpacked yet, and the disk of /data has no room for it')
  expect(startFault(new Error('missing library'), '/data')).toBe('does not start: missing library')
})
