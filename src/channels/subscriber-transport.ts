import { createDialler } from '../outgoing/dial.ts'
import type { Transport } from './delivery.ts'
import { type IntegrationTransportOptions, integrationTransport } from './integration-transport.ts'
import { subscriberIntegration } from './subscriber-hooks.ts'

export interface SubscriberTransportOptions extends Omit<IntegrationTransportOptions, 'dialler' | 'find'> {
  /** Tests bring one. Undefined: one that dials only public addresses. */
  readonly dialler: IntegrationTransportOptions['dialler'] | undefined
}

/**
 * Carries messages to the hooks of subscribers. Strangers name these, so only public addresses are dialled, whatever
 * the operator allows the users.
 */
export function subscriberTransport(options: SubscriberTransportOptions): Transport {
  const dialler = options.dialler ?? createDialler({ allow: [] })
  return integrationTransport({ ...options, dialler, find: subscriberIntegration })
}
