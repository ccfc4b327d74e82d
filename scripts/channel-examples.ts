import { readFileSync } from 'node:fs'
import type { EventBody } from '../src/channels/event.ts'
import type { Integration, Notification, Sender } from '../src/channels/integration.ts'
import type { StoredSettings } from '../src/domain/services/extended-settings.ts'
import type { HttpRequest } from '../src/outgoing/exchange.ts'
import { type PushReceiver, readPush } from '../test/support/push-receiver.ts'

/**
 * The settings in the examples of the channels' pages. The contract tests compare the same settings with the vendor's
 * documents.
 */

export function exampleSettings(integration: Integration): StoredSettings {
  return goldenOf(integration).settings
}

interface Golden {
  readonly settings: StoredSettings
  readonly receiver?: PushReceiver
}

function goldenOf({ channel }: Integration): Golden {
  return JSON.parse(readFileSync(new URL(`../test/contract/integrations/${channel.id}.json`, import.meta.url), 'utf8'))
}

/** The content of an encrypted request; undefined: it is not encrypted. */
export function decrypted(integration: Integration, { bytes }: HttpRequest): unknown {
  const { receiver } = goldenOf(integration)
  return receiver === undefined || bytes === undefined ? undefined : readPush(bytes, receiver)
}

/** A pair of keys that nobody uses. */
export const exampleSender: Sender = {
  publicUrl: 'https://watch.example.com',
  webPushKeys: {
    publicKey: 'BIZOWcVyRNzcjuF9FIiKyG0FTafkJFf1OQDqqjmZlRPnIcHfHmvdaXgJUDu2SEvyZ-qKDZbsvGDyLBykCbkhQVQ',
    privateKey: 'HFH0bUYmGd8LJXQO9B5e9wDsCOFAFo1pJ3ZoGkV7Tio',
  },
}

type Told = 'failure' | 'recovery' | 'acknowledgement'

const texts: Readonly<Record<Told, { readonly subject: string; readonly text: string }>> = {
  failure: {
    subject: 'Shop: FAILURE: Connection refused',
    text: 'FAILURE: Shop\nhttps://shop.example.com/\n\nSince:    2026-11-21 12:13:00 +01:00\nSeen by:  3 of 3 stations\n',
  },
  acknowledgement: {
    subject: 'Shop: acknowledged by Anna',
    text: 'Anna knows of the failure.\nRestarting the database.\n',
  },
  recovery: {
    subject: 'Shop: WORKS AGAIN after 5 min 3 s',
    text: 'WORKS AGAIN: Shop\nhttps://shop.example.com/\n\nSince:           2026-11-21 12:18:03 +01:00\nFailure lasted:  5 min 3 s\n',
  },
}

function exampleEvent(condition: Told): EventBody {
  return {
    type: `service.${condition}`,
    timestamp: '2026-11-21T11:13:01Z',
    data: {
      service: {
        ...{ id: 7, name: 'Shop', address: 'shop.example.com/', port: null, type_id: 'https' },
        ...{ group_id: 3, tags: ['web'] },
        url: 'https://watch.example.com/services/7',
      },
      status_change: {
        ...{ change_id: '179525958000000', start_time: '2026-11-21T11:13:00Z' },
        ...(condition !== 'recovery'
          ? { end_time: null, duration: null }
          : { end_time: '2026-11-21T11:18:03Z', duration: 303 }),
      },
      analysis: { analysis_id: '179525958000000', ok: 0, error: 3, unknown: 0 },
      checks: [],
      message: texts[condition],
    },
  }
}

/** The one line of channels without room for more. */
const lines: Readonly<Record<Told, string>> = {
  failure: 'Shop: FAILURE: Connection refused (2026-11-21 12:13:00 +01:00, 3 of 3 stations)\n',
  acknowledgement: 'Shop: acknowledged by Anna\n',
  recovery: 'Shop: WORKS AGAIN after 5 min 3 s (2026-11-21 12:18:03 +01:00)\n',
}

export function exampleNotification({ channel }: Integration, condition: Told): Notification {
  const isFailure = condition === 'failure'
  return {
    ...texts[condition],
    ...(channel.style === 'sms' || channel.style === 'line' ? { text: lines[condition] } : {}),
    event: exampleEvent(condition),
    ...{ key: `notice-7-${condition}-1`, threadKey: 'thread-7-1', serviceId: 7, serviceName: 'Shop' },
    ...{ condition, decidedAt: Date.UTC(2026, 10, 21, 11, 13, 1), sentAt: Date.UTC(2026, 10, 21, 11, 13, 1) },
    ...{ attachment: null, language: 'en', link: 'https://watch.example.com/services/7' },
    acknowledgeLink: isFailure ? 'https://watch.example.com/acknowledge?token=…' : null,
    incident: {
      ...{ key: 'latarnik-0a1b2c3d-7', isOver: condition === 'recovery' },
      ...(condition === 'acknowledgement' ? { isAcknowledged: true } : {}),
    },
  }
}
