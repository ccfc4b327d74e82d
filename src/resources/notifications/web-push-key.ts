import { readWebPushKeys } from '../../outbox/web-push-keys.ts'
import type { Operation } from '../../rest/call.ts'

/** `GET /web_push_key` */
export const webPushKey: Operation = {
  id: 'notification_addresses.web_push_key',
  method: 'GET',
  path: '/web_push_key',
  tag: 'notification_addresses',
  summary: 'The key with which a browser subscribes to notifications',
  about:
    'The `applicationServerKey` of `PushManager.subscribe()` (RFC 8292). What the browser answers with becomes the `settings` of a notification address with the channel `web_push`.',
  access: 'customer',
  answers: {
    200: {
      about: 'The public half of the key of this installation.',
      schema: {
        type: 'object',
        required: ['public_key'],
        properties: { public_key: { type: 'string', description: 'A point on P-256 in base64url.' } },
        example: {
          public_key: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        },
      },
    },
  },
  async handle({ database }) {
    const { publicKey } = await readWebPushKeys(database)
    return { status: 200, body: { public_key: publicKey } }
  },
}
