import { destinationProblems, integrationOf } from '../channels/index.ts'
import { mergeSettings } from '../domain/services/extended-settings.ts'
import { messagesOf } from './texts.ts'
import { asMeant, Written } from './written.ts'

/** Where a contact is told: by fields, or by an address where the channel has none. */
export interface ImportedAddress {
  readonly channel: string
  readonly address?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Why the channel would refuse the address; empty: it takes it. Secrets without a value yet are not judged. */
export function addressFaults({ channel, address, settings = {} }: ImportedAddress): readonly string[] {
  const integration = integrationOf(channel)
  if (integration === undefined) {
    return address === undefined ? ['It has no address.'] : messagesOf(destinationProblems(channel, address))
  }
  const unset = new Set(
    Object.entries(settings).flatMap(([name, value]) => (value instanceof Written && value.value === '' ? [name] : [])),
  )
  const known = Object.fromEntries(Object.entries(settings).filter(([name]) => !unset.has(name)))
  const merged = mergeSettings(integration, {}, asMeant(known), 'data.settings')
  const missing = integration.settings
    .filter(({ isRequired, setting_id: id }) => isRequired && !(id in merged.settings) && !unset.has(id))
    .map(({ setting_id: id }) => `${id} is missing.`)
  const problems = merged.problems.filter(({ field }) => !unset.has(field?.replace('data.settings.', '') ?? ''))
  const faults = [...named(problems), ...(problems.length === 0 ? missing : [])]
  if (faults.length > 0 || unset.size > 0) return faults
  return integration.problems(merged.settings).map(({ field, expected }) => `${field}: ${expected.en}`)
}

function named(problems: Parameters<typeof messagesOf>[0]): readonly string[] {
  return messagesOf(problems).map((message, index) => {
    const field = problems[index]?.field?.replace('data.settings.', '') ?? ''
    return `${field}: ${message}`
  })
}
