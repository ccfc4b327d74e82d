import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readyMessage } from './start-message.ts'

function browserLineOf(browser: string | null, variables: Readonly<Record<string, string>> = {}): string | undefined {
  const outcome = readConfig({ ...variables })
  if (!('config' in outcome)) throw new Error(outcome.faults.join())
  const stations = { categories: ['default'], pingWay: 'none', browser } as const
  const ready = {
    version: '1.0.0',
    seconds: 1,
    config: outcome.config,
    apiUrl: null,
    metricsUrl: null,
    stations,
    missing: [],
  }
  const lines = readyMessage(ready).split('\n')
  return lines
    .find((line) => line.startsWith('  Browser '))
    ?.slice('  Browser'.length)
    .trim()
}

test('the start message says which browser pages are checked with, or how to get one', () => {
  expect(browserLineOf('/usr/bin/chromium', { CHROMIUM_SANDBOX: 'on' })).toBe('/usr/bin/chromium, sandboxed')
  expect(browserLineOf('/usr/bin/chromium', { CHROMIUM_SANDBOX: 'off' })).toBe(
    '/usr/bin/chromium, without sandbox (CHROMIUM_SANDBOX)',
  )
  expect(browserLineOf(null)).toContain('chromium-headless-shell')
  expect(browserLineOf(null, { LOCAL_SENSORS: '0' })).toBe('none in this process')
})
