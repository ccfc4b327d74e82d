import { isObject } from '../domain/input/json.ts'
import type { Problem } from '../domain/input/problem.ts'
import {
  effectiveSettings,
  mergeSettings,
  presentSettings,
  type ShownSettings,
  type StoredSettings,
} from '../domain/services/extended-settings.ts'
import { integrationOf, integrations } from './index.ts'
import type { Integration } from './integration.ts'
import { atVendor, type VendorUrls } from './vendors.ts'

/** The destination of messages: a channel and its address. */
export interface Addressed {
  readonly notification_channel_id: string
  readonly address: string
  readonly settings: StoredSettings
}

type Given = Partial<Addressed>

interface Completed {
  /** Valid only when there are no problems. */
  readonly row: Given
  readonly problems: readonly Problem[]
}

/** The channel and the fields of a vendor's URL, or of one in Apprise's form; null: no channel recognises it. */
export function detectAddress(
  text: string,
  candidates: readonly Integration[],
): { readonly channelId: string; readonly settings: StoredSettings } | null {
  // A colon without a port after it belongs to a token, as in tgram://123456:ABC/789.
  const readable = URL.canParse(text) ? text : text.replace(/^([a-z]+:\/\/\d+):/i, '$1%3A')
  if (!URL.canParse(readable)) return null
  for (const { channel, detect } of candidates) {
    const settings = detect?.(new URL(readable)) ?? null
    if (settings !== null) return { channelId: channel.id, settings }
  }
  return null
}

/**
 * True if the request sent the field, right or wrong. A wrong one is reported already and is absent from the given
 * values.
 */
type IsSent = (field: keyof Addressed) => boolean

/**
 * Derives missing values: the channel and the settings from a pasted URL, the address from the settings. Problems:
 * missing_value, incorrect_value, and those of settings, each at its field.
 */
export function completeAddress(
  given: Given,
  before: Addressed | null,
  { vendorUrls, isSent }: { readonly vendorUrls: VendorUrls; readonly isSent: IsSent },
): Completed {
  if (given.settings !== undefined && !isObject(given.settings)) return { row: given, problems: [noObject] }
  const named = given.notification_channel_id ?? before?.notification_channel_id
  const own = named === undefined ? undefined : integrationOf(named)
  if (named !== undefined && own === undefined) return ofGateway(given, before, isSent)
  const pasted = given.address === before?.address ? undefined : given.address
  const candidates = own === undefined ? integrations : [own]
  const found = pasted === undefined ? null : detectAddress(fromChosenUrl(pasted, candidates, vendorUrls), candidates)
  const integration = own ?? integrationOf(found?.channelId ?? '')
  if (integration === undefined) return { row: given, problems: nothingNamed(pasted, isSent) }
  if (pasted !== undefined && found === null && given.settings === undefined) {
    return { row: given, problems: [{ ...refusedAddress, facts: { detail: 'address_of_settings' } }] }
  }
  const isSame = before?.notification_channel_id === integration.channel.id
  const input = { ...found?.settings, ...atVendorOf(integration, given.settings, vendorUrls) }
  const merged = mergeSettings(integration, isSame ? before.settings : {}, input, 'data.settings')
  const problems = [
    ...merged.problems,
    ...unreadable(integration, merged.settings),
    ...lacking(integration, merged.settings),
    ...contradictions(integration, merged.settings),
  ]
  if (problems.length > 0) return { row: given, problems }
  const row = { ...given, notification_channel_id: integration.channel.id, settings: merged.settings }
  return { row: { ...row, address: integration.label(merged.settings) }, problems: [] }
}

/** Web addresses that look valid and name no host, such as `http://1.2.3.999`. */
function unreadable({ settings: formats }: Integration, settings: StoredSettings): readonly Problem[] {
  const wrong = formats.filter(({ setting_id: id, grammar }) => {
    const value = settings[id]
    return grammar === 'web_address' && typeof value === 'string' && !URL.canParse(value)
  })
  return wrong.map(({ setting_id: id }) => ({
    ...{ error: 'incorrect_value', field: `data.settings.${id}` },
    facts: { detail: 'web_address' },
  }))
}

/** Only for values that are valid one by one. */
function contradictions(integration: Integration, settings: StoredSettings): readonly Problem[] {
  const isWhole = integration.settings.every(({ isRequired, setting_id: id }) => !isRequired || id in settings)
  if (!isWhole) return []
  return integration
    .problems(settings)
    .map(({ field, expected }) => ({ error: 'incorrect_value', field: `data.settings.${field}`, expected }))
}

function lacking({ needsOneOf }: Integration, settings: StoredSettings): readonly Problem[] {
  const isLacking = needsOneOf.every((id) => (settings[id] ?? null) === null)
  return needsOneOf.slice(0, isLacking ? 1 : 0).map((id) => ({ error: 'missing_value', field: `data.settings.${id}` }))
}

const noObject: Problem = { error: 'incorrect_type', field: 'data.settings', facts: { expected: 'object' } }

const refusedAddress = { error: 'incorrect_value', field: 'data.address' } as const

const missing = (field: keyof Addressed): Problem => ({ error: 'missing_value', field: `data.${field}` })

function nothingNamed(pasted: string | undefined, isSent: IsSent): readonly Problem[] {
  if (isSent('notification_channel_id')) return isSent('address') || isSent('settings') ? [] : [missing('address')]
  const isUrl = pasted !== undefined && URL.canParse(pasted)
  if (isUrl) return [{ ...refusedAddress, facts: { detail: 'no_channel_detected' } }]
  return [...(isSent('address') ? [] : [missing('address')]), missing('notification_channel_id')]
}

function ofGateway(given: Given, before: Addressed | null, isSent: IsSent): Completed {
  const { settings } = given
  const [first] = Object.keys(isObject(settings) ? settings : {})
  const problems: Problem[] = []
  if (!isSent('address') && before === null) problems.push(missing('address'))
  if (first !== undefined) {
    problems.push({ error: 'unknown_field', field: `data.settings.${first}`, facts: { name: first } })
  }
  return {
    row: { ...given, ...(before === null || isChannelChanged(given, before) ? { settings: {} } : {}) },
    problems,
  }
}

function isChannelChanged(given: Given, before: Addressed): boolean {
  const channel = given.notification_channel_id
  return channel !== undefined && channel !== before.notification_channel_id
}

/** Users may paste the address that the operator chose; the stored form has the vendor's own. */
function fromChosenUrl(pasted: string, candidates: readonly Integration[], vendorUrls: VendorUrls): string {
  return candidates.reduce((url, integration) => atVendor(integration, url, vendorUrls), pasted)
}

function atVendorOf(integration: Integration, settings: unknown, vendorUrls: VendorUrls): object {
  if (!isObject(settings)) return {}
  const moved = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'string' ? atVendor(integration, value, vendorUrls) : value,
  ])
  return Object.fromEntries(moved)
}

/** Every setting of the channel as readers see it: secrets are null. */
export function shownSettings(channelId: string, settings: StoredSettings): ShownSettings {
  const integration = integrationOf(channelId)
  return integration === undefined ? {} : presentSettings(integration, settings)
}

/**
 * The change of a user who has the address through a share keeps a secret only if the destination stays the same.
 * Problems: incorrect_value at the secret.
 */
export function keptSecretProblems(before: Addressed, written: Given, input: unknown): readonly Problem[] {
  const integration = integrationOf(before.notification_channel_id)
  if (integration === undefined || written.settings === undefined) return []
  const isSecret = new Set(integration.settings.filter((format) => format.isSecret).map((format) => format.setting_id))
  const [old, next] = [before.settings, written.settings].map((settings) => effectiveSettings(integration, settings))
  const isMoved = integration.settings.some(({ setting_id: id }) => !isSecret.has(id) && old?.[id] !== next?.[id])
  if (!isMoved) return []
  const given: Readonly<Record<string, unknown>> = isObject(input) ? input : {}
  const kept = [...isSecret].filter((id) => (given[id] ?? null) === null && (before.settings[id] ?? null) !== null)
  return kept.map((id) => ({
    ...{ error: 'incorrect_value', field: `data.settings.${id}` },
    facts: { detail: 'kept_secret' },
  }))
}

/** The host that receives the address's messages; null if the operator's gateway carries them. */
export function destinationHost(channelId: string, settings: StoredSettings): string | null {
  const integration = integrationOf(channelId)
  if (integration === undefined) return null
  return new URL(integration.goesTo(settings)).host
}
