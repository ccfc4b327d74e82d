import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PushReceiver, readPush, readVapid } from './push-receiver.ts'

/** The push service of a browser's vendor, and the secrets of one browser. */
export interface PushService {
  /** The result of `subscription.toJSON()` for a page. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  /** Where the service is. */
  readonly origin: string
  /** The messages that came, as the browser decrypts them. */
  readonly messages: readonly unknown[]
  /** The keys of the installations that signed them. */
  readonly senders: readonly string[]
  /** The status of its answers; 201 at first. */
  answers(status: number): void
  stop(): void
}

/** A push service on loopback. It refuses what is not encrypted for this browser, or not signed. */
export async function startPushService(): Promise<PushService> {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const receiver: PushReceiver = {
    privateKey: curve.getPrivateKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const messages: unknown[] = []
  const senders: string[] = []
  let status = 201
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const { publicKey } = readVapid(request.headers.authorization ?? '')
        messages.push(readPush(Buffer.concat(chunks), receiver))
        senders.push(publicKey)
        response.writeHead(status).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    subscription: {
      endpoint: `${origin}/push/${randomBytes(12).toString('base64url')}`,
      keys: { p256dh: curve.getPublicKey('base64url'), auth: receiver.auth },
    },
    messages,
    senders,
    answers: (wanted) => {
      status = wanted
    },
    stop: () => server.close(),
  }
}
