import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliveryOutcome } from '../channels/delivery.ts'
import { DestinationFlowControl } from './destinations.ts'
import type { OutboxMessage } from './outbox-message.ts'

function message(host: string, accountId: number): OutboxMessage {
  return {
    ...{ what: 'notification', channel: 'ntfy', analysis: null, identity: {} },
    goesTo: { destination: `${host} ${accountId}`, accountId },
    ...{ attempts: 1, createdAt: 0, handedOverAt: null },
    send: async () => ({ subject: null, outcome: { status: 'sent' } }),
    markHandedOver: async () => true,
    record: async () => true,
  }
}

const down: DeliveryOutcome = { status: 'failed', permanent: false, error: 'no', isGatewayDown: true }

function world(more: { readonly mostPerAccount?: number } = {}) {
  const time = { now: 0 }
  const flowControl = new DestinationFlowControl({ clock: { now: () => time.now }, monotonic: () => time.now, ...more })
  async function fail(one: OutboxMessage, outcome: DeliveryOutcome = down) {
    flowControl.pass([one])
    await flowControl.saw(outcome, one)
  }
  return { time, flowControl, fail }
}

describe('far ends that users named', () => {
  test('a host that does not serve rests, for its account alone, and is tried by one message after a while', async () => {
    const { time, flowControl, fail } = world()
    for (let times = 0; times < 3; times += 1) await fail(message('dead', 1))
    expect(flowControl.avoiding().destinations).toEqual(['dead 1'])
    time.now += 5000
    expect(flowControl.avoiding().destinations).toEqual([])
    flowControl.pass([message('dead', 1)])
    expect(flowControl.avoiding().destinations).toEqual(['dead 1'])
  })

  test('a host that asks to be left alone is left alone for as long', async () => {
    const { time, flowControl, fail } = world()
    await fail(message('busy', 1), { ...down, retryAfter: 30_000 })
    time.now += 29_999
    expect(flowControl.avoiding().destinations).toEqual(['busy 1'])
    time.now += 1
    expect(flowControl.avoiding().destinations).toEqual([])
  })

  test('a refusal says nothing against the host, and a host that serves again is forgotten', async () => {
    const { flowControl, fail } = world()
    for (let times = 0; times < 5; times += 1) {
      await fail(message('strict', 1), { status: 'failed', permanent: true, error: '404', isGatewayDown: false })
    }
    expect(flowControl.avoiding().destinations).toEqual([])
    for (let times = 0; times < 2; times += 1) await fail(message('back', 1))
    await fail(message('back', 1), { status: 'sent' })
    for (let times = 0; times < 2; times += 1) await fail(message('back', 1))
    expect(flowControl.avoiding().destinations).toEqual([])
  })

  test('silent far ends give their places to others after half a second', () => {
    const { time, flowControl } = world()
    const room = flowControl.room(2000)
    flowControl.pass(Array.from({ length: room }, (_, index) => message(`silent${index}`, 1)))
    expect([flowControl.room(2000), flowControl.pause()]).toEqual([0, 500])
    time.now += 500
    expect([flowControl.room(2000), flowControl.pause()]).toEqual([room, 0])
  })

  test('an account with many silent far ends leaves places to the others', () => {
    const { time, flowControl } = world()
    for (let index = 0; index < 200; index += 1) {
      flowControl.pass([message(`silent${index}`, 1)])
      time.now += 500
    }
    flowControl.pass([message('live', 2)])
    expect(flowControl.avoiding()).toEqual({ destinations: [], accountIds: [1] })
  })

  test('the limit of an account may be lower', () => {
    const { flowControl } = world({ mostPerAccount: 50 })
    for (let index = 0; index < 49; index += 1) flowControl.pass([message(`silent${index}`, 1)])
    expect(flowControl.avoiding().accountIds).toEqual([])
    flowControl.pass([message('silent49', 1)])
    expect(flowControl.avoiding().accountIds).toEqual([1])
  })

  test('failing hosts that get no more messages are forgotten, and never more than 5000 are remembered', async () => {
    const { time, flowControl, fail } = world()
    flowControl.pass([message('busy', 1)])
    for (let index = 0; index < 5100; index += 1) await fail(message(`dead${index}`, 1))
    expect(flowControl.remembered).toBe(5000)
    time.now += 599_999
    await fail(message('another', 1))
    expect(flowControl.remembered).toBe(5000)
    time.now += 1
    await fail(message('another', 1))
    expect(flowControl.remembered).toBe(2)
  })

  test('whatever comes and goes, nothing is left when all is over', async () => {
    const hosts = fc.constantFrom('a', 'b', 'c')
    const steps = fc.array(fc.tuple(hosts, fc.integer({ min: 1, max: 3 })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { flowControl } = world()
        const messages = given.map(([host, accountId]) => message(host, accountId))
        flowControl.pass(messages)
        for (const one of messages) await flowControl.saw({ status: 'sent' }, one)
        expect([flowControl.avoiding(), flowControl.room(100), flowControl.pause()]).toEqual([
          { destinations: [], accountIds: [] },
          64,
          0,
        ])
      }),
    )
  })
})
