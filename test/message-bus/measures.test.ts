import { expect, test } from 'vitest'
import type { Carrier, CarrierListener } from '../../src/message-bus/carrier.ts'
import { Line } from '../../src/message-bus/line.ts'
import { decodeMessage } from '../../src/message-bus/message.ts'
import { watchedCarrier } from '../../src/message-bus/watched-carrier.ts'
import { measureMessageBus } from '../../src/program/message-bus-measures.ts'
import { exposed, watchedBy } from '../support/exposed.ts'

test('what processes say to each other is counted: messages, outages, and how long acknowledgements take', async () => {
  const { metrics } = watchedBy()
  const watch = measureMessageBus(metrics)
  const state = { isUp: true }
  let listener: CarrierListener | null = null
  const sent: Buffer[] = []
  const bare: Carrier = {
    ...{ name: 'nats', usualMs: 1, longestBytes: 100_000, isSettled: true, announce: () => undefined },
    get isUp() {
      return state.isUp
    },
    start: async (_processId, given) => {
      listener = given
    },
    send: (_processId, message) => void sent.push(message),
    stop: async () => undefined,
  }
  const carrier = watchedCarrier(bare, watch)
  const [here, there] = [
    new Line({ me: 'a', peer: 'b', carriers: [carrier], watch, take: () => undefined }),
    new Line({ me: 'b', peer: 'a', carriers: [bare], take: () => undefined }),
  ]
  await carrier.start('a', {
    message(bytes) {
      const message = decodeMessage(bytes)
      if (message !== null) here.receive(message)
    },
    present: () => undefined,
    gone: () => undefined,
    refused: () => undefined,
  })
  here.send(Buffer.from('frame'))
  const first = decodeMessage(sent[0] ?? Buffer.alloc(0))
  if (first !== null) there.receive(first)
  // A frame of its own takes the acknowledgement along.
  there.send(Buffer.from('back'))
  ;(listener as CarrierListener | null)?.message(sent[1] ?? Buffer.alloc(0))
  state.isUp = false
  carrier.announce('')
  carrier.announce('')
  state.isUp = true
  carrier.announce('')
  ;(listener as CarrierListener | null)?.refused('repeated')
  const shown = await exposed(metrics)
  expect(shown.get('latarnik_exchange_messages_total{carrier="nats",direction="sent"}')).toBe(1)
  expect(shown.get('latarnik_exchange_messages_total{carrier="nats",direction="received"}')).toBe(1)
  expect(shown.get('latarnik_exchange_messages_refused_total{carrier="nats",reason="repeated"}')).toBe(1)
  expect(shown.get('latarnik_exchange_acknowledgement_seconds_count{carrier="nats"}')).toBe(1)
  expect(shown.get('latarnik_exchange_outages_total{carrier="nats"}')).toBe(1)
  expect(shown.get('latarnik_exchange_up{carrier="nats"}')).toBe(1)
  here.close()
  there.close()
})
