import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { stationPlaces } from './company.ts'

/**
 * Environment variables that also apply to the demo. All others would lead to a real installation, its database and its
 * gateways.
 */
const known = [
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'ACCOUNT_LANGUAGE',
  'LANG',
  'LC_ALL',
  'LC_MESSAGES',
  'CHROMIUM_PATH',
  'CHROMIUM_SANDBOX',
  'LOG_LEVEL',
  'LOG_FORMAT',
  'RATE_LIMIT',
  'CPU_LIMIT',
]

/** @returns the configuration of the demo in this directory, or its faults */
export function demoConfig(environment: NodeJS.ProcessEnv, directory: string) {
  const own = Object.fromEntries(
    known.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return readConfig({
    ...{ LOG_LEVEL: 'warn', RATE_LIMIT: '6000', ...own },
    ...{ DATA_DIR: resolve(directory), LOCAL_SENSORS: String(stationPlaces.length) },
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
  })
}
