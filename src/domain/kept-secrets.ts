import type { StoredSettings } from './extended-settings.ts'
import type { Problem } from './problem.ts'
import type { ServiceType } from './service-types.ts'

/** Of a service: what decides where its checks take its secrets. */
export interface Destination {
  readonly address: string
  readonly settings: StoredSettings
}

/** Host and port; the scenario, which is a program: it may take what it types anywhere. */
function placeOf({ address, settings }: Destination): string {
  const authority = /^[^/?#]*/.exec(address)?.[0] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  return JSON.stringify([host, settings['port'] ?? null, settings['scenario'] ?? null])
}

/**
 * Secrets that are never shown must not be had by sending them to a server of one's own: for whoever knows a service by a share alone, a secret
 * that was kept goes nowhere else unless it is given again. Problems: incorrect_value with a detail, at the setting.
 */
export function keptSecretProblems(
  { settings: formats }: Pick<ServiceType, 'settings'>,
  { before, after, input }: { readonly before: Destination; readonly after: Destination; readonly input: unknown },
  pointer: string,
): readonly Problem[] {
  if (placeOf(before) === placeOf(after)) return []
  const given = new Set(typeof input === 'object' && input !== null ? Object.keys(input) : [])
  const kept = formats.filter(({ setting_id: id, isSecret }) => {
    return isSecret && !given.has(id) && (before.settings[id] ?? null) !== null
  })
  const facts = { detail: 'kept_secret' } as const
  return kept.map(({ setting_id: id }) => ({ error: 'incorrect_value', field: `${pointer}.${id}`, facts }))
}
