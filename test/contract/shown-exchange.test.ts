import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Message } from '../../src/channels/delivery.ts'
import { integrations } from '../../src/channels/index.ts'
import { shownRequest } from '../../src/channels/shown-exchange.ts'
import type { StoredSettings } from '../../src/domain/services/extended-settings.ts'
import { failureAt } from '../support/notices.ts'

test.each(integrations)('$channel.id: a request is shown without a secret of its address', (integration) => {
  const file = new URL(`./integrations/${integration.channel.id}.json`, import.meta.url)
  const { settings } = JSON.parse(readFileSync(file, 'utf8')) as { readonly settings: StoredSettings }
  const message: Message = {
    ...{
      key: 'notice-7-failure-1',
      threadKey: 'thread-7-1',
      channelId: integration.channel.id,
      address: '',
      serviceId: 7,
    },
    ...{
      serviceName: 'Shop',
      condition: 'failure',
      decidedAt: failureAt,
      subject: 'Shop: FAILURE',
      text: 'It failed.',
    },
    ...{ incident: { key: 'latarnik-7', isOver: false }, attachment: null, settings, link: 'https://example.com/' },
  }
  const headers = { Authorization: 'Basic bm9ib2R5Omtub3dz', 'X-Gotify-Key': 'key', 'Content-Type': 'text/plain' }
  const shown = shownRequest(integration, message, { url: '', method: 'POST', headers, body: '' })
  expect(shown.headers).toEqual({ Authorization: '***', 'X-Gotify-Key': '***', 'Content-Type': 'text/plain' })
  const secrets = integration.settings.flatMap(({ isSecret, setting_id: id }) =>
    isSecret === true && typeof settings[id] === 'string' ? [String(settings[id])] : [],
  )
  const written = JSON.stringify(shown)
  for (const secret of secrets) {
    const parts = URL.canParse(secret) && new URL(secret).pathname.length > 1 ? [new URL(secret).pathname] : [secret]
    for (const part of parts) {
      expect(written).not.toContain(part)
      expect(written).not.toContain(encodeURIComponent(part))
    }
  }
})
