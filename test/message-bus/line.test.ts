import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { decodeAnnouncement, encodeAnnouncement } from '../../src/message-bus/announcement.ts'
import type { Carrier } from '../../src/message-bus/carrier.ts'
import { Line } from '../../src/message-bus/line.ts'
import { decodeMessage, encodeMessage, longestHeadBytes, piecesOf } from '../../src/message-bus/message.ts'
import { chanceOf } from '../crash/chance.ts'
import { patiently } from '../support/patience.ts'

/** Loses, repeats and delays messages, as the seed will have it. */
function badCarrier(seed: number, lines: Map<string, Line>, longestBytes: number): Carrier & { isUp: boolean } {
  const chance = chanceOf(seed)
  const carrier = {
    ...{ name: 'bad', isUp: true, isSettled: true, longestBytes, usualMs: 1 },
    start: async () => {},
    announce: () => {},
    stop: async () => {},
    send(processId: string, message: Buffer) {
      if (!carrier.isUp) return
      const copies = chance.happens(0.3) ? 0 : chance.happens(0.2) ? 2 : 1
      for (let copy = 0; copy < copies; copy++) {
        setTimeout(
          () => {
            const received = decodeMessage(message)
            if (received !== null) lines.get(processId)?.receive(received)
          },
          chance.between(0, 30),
        )
      }
    },
  }
  return carrier
}

interface Pair {
  readonly near: Line
  readonly far: Line
  readonly taken: string[]
  readonly carriers: readonly { isUp: boolean }[]
  stop(): void
}

function pairOf(seed: number, longestBytes = 100_000): Pair {
  const lines = new Map<string, Line>()
  const carriers = [badCarrier(seed, lines, longestBytes), badCarrier(seed + 1, lines, longestBytes)]
  const taken: string[] = []
  const near = new Line({ me: 'near', peer: 'far', carriers, take: () => {} })
  const far = new Line({ me: 'far', peer: 'near', carriers, take: (frame) => taken.push(frame.toString()) })
  lines.set('near', near).set('far', far)
  const sweeping = setInterval(() => {
    near.sweep()
    far.sweep()
  }, 20)
  return { near, far, taken, carriers, stop: () => clearInterval(sweeping) }
}

const framesOf = (count: number) => Array.from({ length: count }, (_, at) => `frame ${at} ${'ż'.repeat(at * 40)}`)

test.each([1, 2, 3])(
  'frames come whole and once over carriers that lose and repeat messages (seed %d)',
  async (seed) => {
    const pair = pairOf(seed, longestHeadBytes + 500)
    const frames = framesOf(40)
    for (const frame of frames) pair.near.send(Buffer.from(frame))
    await vi.waitFor(() => expect(pair.taken.length).toBe(frames.length), { timeout: 60_000 })
    await vi.waitFor(() => expect(pair.near.underWay).toBe(0), patiently)
    expect(pair.taken.toSorted()).toEqual(frames.toSorted())
    pair.stop()
  },
)

test('what was sent while a carrier was away comes by the other one', async () => {
  const pair = pairOf(5)
  const [first] = pair.carriers
  if (first !== undefined) first.isUp = false
  for (const frame of framesOf(10)) pair.near.send(Buffer.from(frame))
  await vi.waitFor(() => expect(pair.taken.length).toBe(10), patiently)
  pair.stop()
})

test('a process that comes back under a new stream is understood from its first frame on', async () => {
  const lines = new Map<string, Line>()
  const carrier = { ...badCarrier(1, lines, 100_000), send: (to: string, bytes: Buffer) => pass(to, bytes) }
  function pass(to: string, bytes: Buffer): void {
    const message = decodeMessage(bytes)
    if (message !== null) lines.get(to)?.receive(message)
  }
  const taken: string[] = []
  const open = () => new Line({ me: 'near', peer: 'far', carriers: [carrier], take: () => {} })
  const far = new Line({ me: 'far', peer: 'near', carriers: [carrier], take: (frame) => taken.push(frame.toString()) })
  lines.set('far', far)
  for (const frame of ['first', 'second']) open().send(Buffer.from(frame))
  expect(taken).toEqual(['first', 'second'])
  far.close()
})

describe('a message', () => {
  const word = fc.stringMatching(/^[\w-]{1,20}$/)

  test('reads as it was written', () => {
    fc.assert(
      fc.property(
        fc.record({
          from: word,
          stream: word,
          number: fc.nat(),
          part: fc.nat({ max: 3 }),
          parts: fc.constant(4),
          acknowledgedStream: fc.oneof(
            word.filter((text) => text !== '-'),
            fc.constant(''),
          ),
          acknowledged: fc.array(fc.nat(), { maxLength: 500 }),
          piece: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
        }),
        (message) => {
          expect(decodeMessage(encodeMessage(message))).toEqual(message)
          expect(encodeMessage(message).length - message.piece.length).toBeLessThanOrEqual(longestHeadBytes)
        },
      ),
    )
  })

  test('of anything else is none', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = decodeMessage(Buffer.from(bytes))
        expect(message === null || message.part < message.parts).toBe(true)
      }),
    )
  })

  test('holds a piece; the pieces together are the frame', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.integer({ min: 1, max: 200 }), (bytes, longest) => {
        const pieces = piecesOf(Buffer.from(bytes), longest)
        expect(Buffer.concat([...pieces])).toEqual(Buffer.from(bytes))
        expect(pieces.every((piece) => piece.length <= longest)).toBe(true)
      }),
    )
  })
})

test('an announcement reads as it was written, and one of another protocol is of nobody to talk to', () => {
  const announcement = {
    revision: 2,
    roles: ['api'],
    isLeaving: true,
    sensors: [{ id: 7, connectionNo: 3, leadMs: 50 }],
  }
  const text = encodeAnnouncement(announcement)
  expect(decodeAnnouncement(text)).toEqual(announcement)
  expect(decodeAnnouncement(JSON.stringify({ ...JSON.parse(text), protocol: 99 }))).toBeNull()
  expect(decodeAnnouncement(JSON.stringify({ ...JSON.parse(text), of_later_versions: 1 }))).toEqual(announcement)
})
