import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestSealBytes, Seal } from '../../src/message-bus/seal.ts'

const coreKey = Buffer.alloc(32, 1)
const clock = { at: 1_800_000_000_000, now: () => clock.at }

function sealOf(me: string, key = coreKey): Seal {
  return new Seal({ coreKey: key, me, clock })
}

const text = (opened: ReturnType<Seal['open']>) => ('refusal' in opened ? opened.refusal : opened.content.toString())

test('what was sealed is opened by its receiver, with who sealed it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w-]{1,64}$/), fc.uint8Array({ maxLength: 2000 }), (sender, bytes) => {
      const [near, far] = [sealOf(sender), sealOf('far')]
      const message = near.seal('to.far', Buffer.from(bytes))
      expect(message.length).toBeLessThanOrEqual(bytes.length + longestSealBytes)
      expect(far.open('to.far', message)).toEqual({ sender, content: Buffer.from(bytes) })
    }),
  )
})

test('nothing of it can be read', () => {
  const message = sealOf('near').seal('to.far', Buffer.from('the password of the shop'))
  expect(message.toString('latin1')).not.toMatch(/password|shop/)
})

test('the same said twice is not the same sealed', () => {
  const near = sealOf('near')
  const [first, second] = [near.seal('presence', Buffer.from('x')), near.seal('presence', Buffer.from('x'))]
  expect(first.equals(second)).toBe(false)
  expect(sealOf('other').seal('presence', Buffer.from('x')).subarray(-17)).not.toEqual(first.subarray(-17))
})

test('whoever has not the key of the core can make none', () => {
  const foreign = sealOf('near', Buffer.alloc(32, 2))
  expect(sealOf('far').open('to.far', foreign.seal('to.far', Buffer.from('x')))).toEqual({ refusal: 'not_ours' })
})

test('a message for another process, or for all, is none for this one', () => {
  const [near, far] = [sealOf('near'), sealOf('far')]
  expect(far.open('to.far', near.seal('to.third', Buffer.from('x')))).toEqual({ refusal: 'not_ours' })
  expect(far.open('to.far', near.seal('presence', Buffer.from('x')))).toEqual({ refusal: 'not_ours' })
})

test('one that was changed anywhere is none', () => {
  const near = sealOf('near')
  const message = near.seal('to.far', Buffer.from('a message'))
  for (let at = 0; at < message.length; at++) {
    const changed = Buffer.from(message)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(sealOf('far').open('to.far', changed)).toEqual({ refusal: 'not_ours' })
    expect(sealOf('far').open('to.far', message.subarray(0, at))).toEqual({ refusal: 'not_ours' })
  }
})

test('bytes of any kind are none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom([], [1], [1, 0], [1, 4]), (bytes, head) => {
      expect(sealOf('far').open('presence', Buffer.from([...head, ...bytes]))).toEqual({ refusal: 'not_ours' })
    }),
  )
})

test('a message is opened once; later ones still are, and earlier ones are not', () => {
  const [near, far] = [sealOf('near'), sealOf('far')]
  const [first, second, third] = ['1', '2', '3'].map((one) => near.seal('to.far', Buffer.from(one)))
  const empty = Buffer.alloc(0)
  expect(text(far.open('to.far', first ?? empty))).toBe('1')
  expect(text(far.open('to.far', first ?? empty))).toBe('repeated')
  expect(text(far.open('to.far', third ?? empty))).toBe('3')
  expect(text(far.open('to.far', second ?? empty))).toBe('repeated')
})

test('what was recorded from a process that is gone is believed by none that comes later', () => {
  const message = sealOf('gone').seal('presence', Buffer.from('I have sensor 1'))
  clock.at += 61_000
  expect(text(sealOf('later').open('presence', message))).toBe('outdated')
  expect(text(sealOf('later').open('presence', sealOf('here').seal('presence', Buffer.from('hello'))))).toBe('hello')
})

test('clocks of processes may differ by a minute', () => {
  const message = sealOf('ahead').seal('presence', Buffer.from('hello'))
  clock.at -= 59_000
  expect(text(sealOf('behind').open('presence', message))).toBe('hello')
  clock.at += 59_000
})
