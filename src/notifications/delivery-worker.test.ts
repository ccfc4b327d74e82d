import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DeliveryWorker } from './delivery-worker.ts'
import { noFlowControl } from './flow-control.ts'
import type { OutboxMessage } from './outbox-message.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

test('a notice that waits behind another one is not left behind, though that one ends while somebody looks', async () => {
  const [isUnderWay, isLookedFor, isRecorded] = [promised(), promised(), promised()]
  const sent: string[] = []
  const message = (name: string, before: Promise<void>): OutboxMessage => ({
    ...{ what: 'notification', channel: 'email', analysis: null, identity: { name } },
    ...{ attempts: 1, createdAt: 0, handedOverAt: null },
    async send() {
      isUnderWay.resolve()
      await before
      sent.push(name)
      return { subject: null, outcome: { status: 'sent' } }
    },
    markHandedOver: async () => true,
    async record() {
      isRecorded.resolve()
      return true
    },
  })
  /** The result of each claim. */
  const claims = [
    async () => [message('first', isLookedFor.promise)],
    async () => {
      isLookedFor.resolve()
      await isRecorded.promise
      await setImmediate()
      return []
    },
    async () => {
      await setImmediate()
      return [message('second', Promise.resolve())]
    },
  ]
  const claim = async () => (await claims.shift()?.()) ?? []
  const clock = { now: () => 0 }
  const worker = new DeliveryWorker(
    { clock, log: silent },
    { claim, concurrency: 5, flowControl: noFlowControl, session: () => null },
  )
  await isUnderWay.promise
  await worker.drain()
  expect(sent).toEqual(['first', 'second'])
  await worker.stop()
})
