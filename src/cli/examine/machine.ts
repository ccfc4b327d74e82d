import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { needsBrowser, serviceTypes } from '../../checks/index.ts'
import { mayCheckPages, notIsolated } from '../../checks/page-isolation.ts'
import type { Config } from '../../config/config.ts'
import { lackingMemory } from '../../program/memory.ts'
import { tryBrowser } from '../../sensor/browser/try-browser.ts'
import { startLocalStations } from '../../sensor/local.ts'
import { type Finding, finding } from './finding.ts'

const run = promisify(execFile)
const gibibyte = 1_073_741_824
/** Free bytes below which an operator should act, and below which the program soon fails. */
const little = gibibyte
const tooLittle = gibibyte / 10

const pingTexts = {
  socket: 'over unprivileged sockets',
  program: 'with the ping program (sockets are cheaper: put this group into net.ipv4.ping_group_range)',
  none: 'cannot: net.ipv4.ping_group_range leaves this group out and there is no ping program',
} as const

/** The control group of this command: a service of the system, or a container, has its own. */
export function examineMemory(config: Parameters<typeof lackingMemory>[0], limit?: number): Finding {
  const lacking = lackingMemory(config, limit)
  if (lacking === null) return finding('Memory', 'ok', 'no limit of a control group where this command runs is too low')
  const { limit_mb: limitMb, needed_mb: needed } = lacking
  const text = `the control group of this command allows ${limitMb} MB, and the program needs ${needed} MB: beyond the limit the kernel ends it or its database`
  return finding('Memory', 'missing', text)
}

export async function examineDisk(directory: string): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(directory)
  const free = bavail * bsize
  const share = Math.round((bavail / Math.max(1, blocks)) * 100)
  const state = free < tooLittle ? 'fault' : free < little ? 'missing' : 'ok'
  return finding('Disk space', state, `${(free / gibibyte).toFixed(1)} GiB free (${share} %) where ${directory} is`)
}

/** Checks that the system keeps its clock right. systemd reports the kernel's own state, whichever program sets it. */
export async function examineClock(): Promise<Finding> {
  const said = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 5000 }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  if (said === 'yes') return finding('Clock', 'ok', 'synchronized (NTP)')
  if (said === 'no') return finding('Clock', 'missing', 'not synchronized: switch NTP on (timedatectl set-ntp true)')
  return finding('Clock', 'note', 'this machine does not report whether it is synchronized (NTP)')
}

interface StationConfig extends Pick<Config, 'allowPrivateTargets' | 'browser'> {
  /** Null: a remote core decides. */
  readonly isRegistrationOpen: boolean | null
}

/** Reports whether pages can be checked here, and why or why not. */
export async function examineBrowser({
  browser: choice,
  isRegistrationOpen,
}: Pick<StationConfig, 'browser' | 'isRegistrationOpen'>): Promise<Finding> {
  const { isRight, text } = await tryBrowser(choice)
  if (!isRight || mayCheckPages(choice.isolation, isRegistrationOpen ?? true))
    return finding('Browser', isRight ? 'ok' : 'missing', text)
  return isRegistrationOpen === null
    ? finding('Browser', 'note', `${text}; a core where anybody may register (REGISTRATION=on) sends it no page checks`)
    : finding('Browser', 'missing', `${text}; pages are not checked: ${notIsolated}`)
}

/** Reports which services stations on this machine could check. */
export async function examineStations(config: StationConfig): Promise<Finding[]> {
  const { allowPrivateTargets } = config
  const stations = await startLocalStations({ sensorIds: [], allow: allowPrivateTargets, log: () => undefined })
  await stations.stop()
  const browser = await examineBrowser(config)
  const { categories, pingWay } = stations
  const canServe = (type: (typeof serviceTypes)[number]) =>
    (needsBrowser(type.id) ? browser.state !== 'missing' : categories.includes(type.category)) &&
    (pingWay !== 'none' || !type.id.startsWith('ping'))
  const served = serviceTypes.filter(canServe).map((type) => type.id)
  const others = serviceTypes.filter((type) => !canServe(type)).map((type) => type.id)
  const hasIpv6 = categories.includes('ipv6')
  return [
    finding('Ping', pingWay === 'none' ? 'missing' : 'ok', pingTexts[pingWay]),
    finding(
      'IPv6',
      hasIpv6 ? 'ok' : 'missing',
      hasIpv6 ? 'this machine has it' : 'this machine has no address that reaches beyond its link',
    ),
    browser,
    finding('Can check', served.length > 0 ? 'ok' : 'fault', served.length > 0 ? served.join(', ') : 'nothing'),
    finding('Cannot check', others.length > 0 ? 'missing' : 'ok', others.length === 0 ? 'nothing' : others.join(', ')),
  ]
}
