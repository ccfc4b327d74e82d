import { describe, expect, test } from 'vitest'
import { type ArrivedPing, WaitingRoom } from './waiting-room.ts'

const about = { at: 0, exitStatus: null, rid: null, ipAddress: '', method: 'POST', userAgent: '' }

function arrived(uuid: string, network: string, bytes = 0): ArrivedPing {
  const body = bytes === 0 ? null : Buffer.alloc(bytes)
  return { ping: { ...about, uuid, kind: 'log', body }, network }
}

const size = { pings: 1000, bytes: 1_000_000 }

/** Enters pings until one is refused. */
function flood(room: WaitingRoom, next: (count: number) => ArrivedPing) {
  for (let count = 0; count < 100_000; count++) {
    const answer = room.enter(next(count))
    if (answer !== 'entered') return { answer, count }
  }
  throw new Error('The flood found room for everything.')
}

describe('a room for waiting pings', () => {
  test('refuses a network with too much, and nobody else', () => {
    const room = new WaitingRoom(size)
    expect(flood(room, (count) => arrived(`noisy ${count}`, 'noisy', 10_000)).answer).toBe('too_many')
    expect(room.enter(arrived('quiet', 'quiet', 10_000))).toBe('entered')
  })

  test('refuses a heartbeat with too much, from however many networks, and nobody else', () => {
    const room = new WaitingRoom(size)
    for (const uuid of ['noisy', 'quiet']) room.know(uuid)
    const { answer, count } = flood(room, (at) => arrived('noisy', `network ${at}`, 1000))
    expect([answer, count]).toEqual(['too_many', 200])
    expect(room.enter(arrived('quiet', 'network 1', 1000))).toBe('entered')
  })

  test('keeps room for heartbeats that were heard lately from guesses of all networks', () => {
    const room = new WaitingRoom(size)
    room.know('known')
    expect(flood(room, (at) => arrived(`guess ${at}`, `network ${at}`, 50_000)).answer).toBe('too_many')
    expect(room.enter(arrived('known', 'another', 50_000))).toBe('entered')
  })

  test('is full for everybody only when networks without number share it', () => {
    const room = new WaitingRoom(size)
    const known = (at: number) => {
      room.know(`known ${at}`)
      return arrived(`known ${at}`, `network ${at}`)
    }
    expect(flood(room, known)).toEqual({ answer: 'full', count: 997 })
  })

  test('takes all of it again once pings have left', () => {
    const room = new WaitingRoom(size)
    const pings = Array.from({ length: 500 }, (_, at) => arrived(`one ${at}`, 'noisy', 100))
    for (const one of pings) room.enter(one)
    for (const one of pings) room.leave(one)
    for (const one of pings) room.leave(one)
    expect(flood(new WaitingRoom(size), (at) => arrived(`two ${at}`, 'noisy'))).toEqual(
      flood(room, (at) => arrived(`two ${at}`, 'noisy')),
    )
  })
})
