import { readFile, rm, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

const fileName = 'api-address'
const patienceMs = 2000

interface Place {
  readonly host: string
  readonly port: number
  /** The address that `PUBLIC_URL` gives it. */
  readonly publicUrl?: string | undefined
}

interface Noted extends Place {
  /** Where the program sends its mails, without secrets (`mailRouteOf`). Absent: it sends none. */
  readonly mailRoute?: string | undefined
}

/** A file in the data directory with the API's addresses, for commands that run beside it with other variables. */
export function apiNote(directory: string, log: Log) {
  const path = join(directory, fileName)
  // Only addresses in the output of commands depend on it.
  const failed = (error: unknown) => log.warn({ err: error, path }, 'the address of the API cannot be noted')
  return {
    write: ({ host, port, publicUrl, mailRoute }: Noted) => {
      const lines = [`http://${isIPv6(host) ? `[${host}]` : host}:${port}`, publicUrl ?? '', mailRoute ?? '']
      return writeFile(path, `${lines.join('\n')}\n`).catch(failed)
    },
    remove: () => rm(path, { force: true }).catch(failed),
  }
}

/** True if a Latarnik serves this address: both ports of the program report their health in the same form. */
export async function isLatarnik(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patienceMs), redirect: 'error' })
    const body = (await answer.json()) as { readonly status?: unknown }
    return answer.ok && body.status === 'ok'
  } catch {
    return false
  }
}

/**
 * The address of this data directory's API; undefined if none answers, because a killed program leaves its file behind.
 */
export async function runningApi(directory: string): Promise<Place | undefined> {
  const [address, publicUrl] = await notedLines(directory)
  if (!URL.canParse(address) || !(await isLatarnik(address))) return undefined
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port === '' ? '80' : port), ...(URL.canParse(publicUrl) ? { publicUrl } : {}) }
}

/** Where the program that runs on this data directory sends its mails; null: none runs, or it sends none. */
export async function runningMailRoute(directory: string): Promise<string | null> {
  if ((await runningApi(directory)) === undefined) return null
  const [, , mailRoute] = await notedLines(directory)
  return mailRoute === '' ? null : mailRoute
}

/** Empty without the file: then no API runs here. */
async function notedLines(directory: string): Promise<readonly [string, string, string]> {
  const lines = (await readFile(join(directory, fileName), 'utf8').catch(() => '')).split('\n')
  const [address = '', publicUrl = '', mailRoute = ''] = lines.map((line) => line.trim())
  return [address, publicUrl, mailRoute]
}

/** `mail.example.com:587`, or the directory of the outbox; undefined for a program that sends no mails. */
export function mailRouteOf({ mail: { smtpUrl, outboxDirectory }, roles }: Pick<Config, 'mail' | 'roles'>) {
  if (!roles.includes('notifier')) return undefined
  if (smtpUrl === undefined) return `files in ${outboxDirectory}`
  const { hostname, port, protocol } = new URL(smtpUrl)
  return `${hostname}:${port === '' ? (protocol === 'smtps:' ? '465' : '587') : port}`
}
