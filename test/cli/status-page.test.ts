import { expect, test } from 'vitest'
import { namedPagesUrl } from '../../src/cli/status-page.ts'
import { configOf } from '../support/config-files.ts'

const PUBLIC_URL = 'https://watch.test'
const STATUS_PAGE_PORT = '8081'
const STATUS_PAGE_URL = 'https://status.test/'

test.each([
  [{}, undefined],
  [{ PUBLIC_URL }, 'https://watch.test'],
  [{ PUBLIC_URL, STATUS_PAGE_PORT }, 'https://watch.test'],
  [{ PUBLIC_URL, STATUS_PAGE_PORT, STATUS_PAGE_URL }, 'https://status.test'],
])('exported pages of %j are named at %s', (environment, url) => {
  expect(namedPagesUrl(configOf(environment))).toBe(url)
})
