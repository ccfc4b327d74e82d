import type { PingKind } from '../domain/services/heartbeat.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

export interface PingReport {
  readonly kind: PingKind
  readonly exitStatus: number | null
}

const kinds: Readonly<Record<string, PingKind>> = { start: 'start', fail: 'fail', log: 'log' }

/** The last part of a ping address; null: it means nothing. */
export function reportOf(action: string | undefined): PingReport | null {
  if (action === undefined) return { kind: 'success', exitStatus: null }
  const kind = Object.hasOwn(kinds, action) ? kinds[action] : undefined
  if (kind !== undefined) return { kind, exitStatus: null }
  if (!/^\d{1,3}$/.test(action) || Number(action) > 255) return null
  return { kind: Number(action) === 0 ? 'success' : 'fail', exitStatus: Number(action) }
}

/** A report in the words of Uptime Kuma's push: its message and its measured time are kept as the body. */
export function pushOf(query: URLSearchParams): { readonly report: PingReport; readonly body: Buffer | null } {
  const isDown = query.get('status') === 'down'
  const [message, ping] = [query.get('msg') ?? '', query.get('ping') ?? '']
  const lines = [message, ...(/^\d+(\.\d+)?$/.test(ping) ? [`ping ${ping} ms`] : [])].filter((line) => line !== '')
  const body = lines.length === 0 ? null : Buffer.from(lines.join('\n'))
  return { report: { kind: isDown ? 'fail' : 'success', exitStatus: null }, body }
}
