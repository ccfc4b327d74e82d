import { expect, test } from 'vitest'
import { type Config, readConfig } from '../config/config.ts'
import { readyMessage, sensorMessage } from './start-message.ts'

function configOf(variables: Readonly<Record<string, string>>): Config {
  const outcome = readConfig({ ...variables })
  if (!('config' in outcome)) throw new Error(outcome.faults.join())
  return outcome.config
}

function browserLineOf(browser: string | null, variables: Readonly<Record<string, string>> = {}): string | undefined {
  const stations = { categories: ['default'], pingWay: 'none', browser } as const
  const ready = {
    version: '1.0.0',
    seconds: 1,
    config: configOf(variables),
    apiUrl: null,
    metricsUrl: null,
    firstVisit: null,
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
  expect(browserLineOf('/usr/bin/chromium', { CHROMIUM_SANDBOX: 'container', REGISTRATION: 'on' })).toBe(
    '/usr/bin/chromium, without sandbox, in a container (CHROMIUM_SANDBOX)',
  )
  expect(browserLineOf(null, { CHROMIUM_SANDBOX: 'off', REGISTRATION: 'on' })).toMatch(
    /^none: .*REGISTRATION=on.*CHROMIUM_SANDBOX=container/,
  )
  expect(browserLineOf(null)).toContain('chromium-headless-shell')
  expect(browserLineOf(null, { LOCAL_SENSORS: '0' })).toBe('none in this process')
})

test('a station far away says the same of its browser', () => {
  const met = { sensorId: 4, name: 'Kraków', server: new URL('https://core.example/v3') }
  const said = (browser: string | null, sandbox = 'on') =>
    sensorMessage({
      ...met,
      stations: { categories: ['default', 'ipv6'], browser },
      config: configOf({ CHROMIUM_SANDBOX: sandbox }),
    })
  expect(said('/usr/bin/chromium')).toBe(
    'Sensor 4, Kraków, checks default, ipv6 for https://core.example.\nBrowser: /usr/bin/chromium, sandboxed.\nTargets: private and loopback addresses are refused (ALLOW_PRIVATE_TARGETS).\n',
  )
  expect(said('/usr/bin/chromium', 'off')).toContain('\nPages: a core where anybody may register (REGISTRATION=on)')
  expect(said(null)).toContain('\nBrowser: none: pages and scenarios are not checked (install chromium-headless-shell')
})
