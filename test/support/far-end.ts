import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { integrationTransport } from '../../src/channels/integration-transport.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import type { ApiWorld } from './api.ts'
import { silentLog } from './monitoring.ts'

export interface FarEnd {
  /** The bodies of what it was told. */
  readonly heard: Readonly<Record<string, unknown>>[]
  /** Where it is: `http://127.0.0.1:…`. */
  readonly place: string
  /** Its answer to the next requests. */
  answer: { readonly status: number; readonly body: string }
  /** Messages are delivered to it, as the vendor of the channel, while `work` goes on. */
  during<T>(channelId: string, work: () => Promise<T>): Promise<T>
  close(): void
}

/** A far end of an integration on this machine. */
export async function startFarEnd({ database, clock }: Pick<ApiWorld, 'database' | 'clock'>): Promise<FarEnd> {
  const heard: Readonly<Record<string, unknown>>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(farEnd.answer.status).end(farEnd.answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const farEnd: FarEnd = {
    heard,
    place,
    answer: { status: 200, body: '{}' },
    async during(channelId, work) {
      const vendorUrls = new Map([[channelId, place]])
      const transport = integrationTransport({ clock, dialler: createDialler({ allow: 'all' }), vendorUrls })
      const common = { database, clock, log: silentLog, publicUrl: 'http://api.test', diagnose: () => null }
      const notifier = await startDeliveryWorkers(common, [transport])
      try {
        return await work()
      } finally {
        await notifier.stop()
      }
    },
    close: () => server.close(),
  }
  return farEnd
}
