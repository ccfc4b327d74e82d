import type { Message } from '../channels/delivery.ts'
import { integrationOf } from '../channels/index.ts'
import type { Integration } from '../channels/integration.ts'
import { shownRequest } from '../channels/shown-exchange.ts'
import type { StoredSettings } from '../domain/services/extended-settings.ts'
import { messageParts } from './notice-message.ts'
import { type Previewed, usualMessage } from './template-preview.ts'

interface PreviewedRequest extends Previewed {
  readonly address: string
  readonly settings: StoredSettings
}

/**
 * The request that a notification becomes at an integration, without its secrets. Null: the channel does not send it.
 */
export function previewRequest({ address, settings, ...previewed }: PreviewedRequest) {
  const { channelId, publicUrl } = previewed
  const { facts, reader, usual } = usualMessage(previewed)
  const integration = integrationOf(channelId)
  if (integration === undefined) return null
  const message = {
    ...messageParts(facts, usual, reader),
    ...{ key: 'preview', threadKey: 'preview', channelId, address, settings, sentAt: facts.decidedAt },
  }
  if (!integration.tells(message)) return null
  return shownRequest(integration, message, requestOf(integration, message), { publicUrl })
}

/** Keys that nothing can be encrypted with leave nothing but the address. */
function requestOf(integration: Integration, message: Message): ReturnType<Integration['request']> {
  try {
    return integration.request(message, message.settings)
  } catch {
    return { method: 'POST', url: integration.goesTo(message.settings), headers: {}, body: null }
  }
}
