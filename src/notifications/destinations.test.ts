import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliveryOutcome } from '../channels/delivery.ts'
import { DestinationGate } from './destinations.ts'
import type { Parcel } from './parcel.ts'

function parcel(host: string, accountId: number): Parcel {
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
  const gate = new DestinationGate({ clock: { now: () => time.now }, monotonic: () => time.now, ...more })
  async function fail(one: Parcel, outcome: DeliveryOutcome = down) {
    gate.pass([one])
    await gate.saw(outcome, one)
  }
  return { time, gate, fail }
}

describe('far ends that users named', () => {
  test('a host that does not serve rests, for its account alone, and is tried by one message after a while', async () => {
    const { time, gate, fail } = world()
    for (let times = 0; times < 3; times += 1) await fail(parcel('dead', 1))
    expect(gate.avoiding().destinations).toEqual(['dead 1'])
    time.now += 5000
    expect(gate.avoiding().destinations).toEqual([])
    gate.pass([parcel('dead', 1)])
    expect(gate.avoiding().destinations).toEqual(['dead 1'])
  })

  test('a host that asks to be left alone is left alone for as long', async () => {
    const { time, gate, fail } = world()
    await fail(parcel('busy', 1), { ...down, retryAfter: 30_000 })
    time.now += 29_999
    expect(gate.avoiding().destinations).toEqual(['busy 1'])
    time.now += 1
    expect(gate.avoiding().destinations).toEqual([])
  })

  test('a refusal says nothing against the host, and a host that serves again is forgotten', async () => {
    const { gate, fail } = world()
    for (let times = 0; times < 5; times += 1) {
      await fail(parcel('strict', 1), { status: 'failed', permanent: true, error: '404', isGatewayDown: false })
    }
    expect(gate.avoiding().destinations).toEqual([])
    for (let times = 0; times < 2; times += 1) await fail(parcel('back', 1))
    await fail(parcel('back', 1), { status: 'sent' })
    for (let times = 0; times < 2; times += 1) await fail(parcel('back', 1))
    expect(gate.avoiding().destinations).toEqual([])
  })

  test('silent far ends give their places to others after half a second', () => {
    const { time, gate } = world()
    const room = gate.room(2000)
    gate.pass(Array.from({ length: room }, (_, index) => parcel(`silent${index}`, 1)))
    expect([gate.room(2000), gate.pause()]).toEqual([0, 500])
    time.now += 500
    expect([gate.room(2000), gate.pause()]).toEqual([room, 0])
  })

  test('an account with many silent far ends leaves places to the others', () => {
    const { time, gate } = world()
    for (let index = 0; index < 200; index += 1) {
      gate.pass([parcel(`silent${index}`, 1)])
      time.now += 500
    }
    gate.pass([parcel('live', 2)])
    expect(gate.avoiding()).toEqual({ destinations: [], accountIds: [1] })
  })

  test('the limit of an account may be lower', () => {
    const { gate } = world({ mostPerAccount: 50 })
    for (let index = 0; index < 49; index += 1) gate.pass([parcel(`silent${index}`, 1)])
    expect(gate.avoiding().accountIds).toEqual([])
    gate.pass([parcel('silent49', 1)])
    expect(gate.avoiding().accountIds).toEqual([1])
  })

  test('failing hosts that get no more messages are forgotten, and never more than 5000 are remembered', async () => {
    const { time, gate, fail } = world()
    gate.pass([parcel('busy', 1)])
    for (let index = 0; index < 5100; index += 1) await fail(parcel(`dead${index}`, 1))
    expect(gate.remembered).toBe(5000)
    time.now += 599_999
    await fail(parcel('another', 1))
    expect(gate.remembered).toBe(5000)
    time.now += 1
    await fail(parcel('another', 1))
    expect(gate.remembered).toBe(2)
  })

  test('whatever comes and goes, nothing is left when all is over', async () => {
    const hosts = fc.constantFrom('a', 'b', 'c')
    const steps = fc.array(fc.tuple(hosts, fc.integer({ min: 1, max: 3 })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { gate } = world()
        const parcels = given.map(([host, accountId]) => parcel(host, accountId))
        gate.pass(parcels)
        for (const one of parcels) await gate.saw({ status: 'sent' }, one)
        expect([gate.avoiding(), gate.room(100), gate.pause()]).toEqual([{ destinations: [], accountIds: [] }, 64, 0])
      }),
    )
  })
})
