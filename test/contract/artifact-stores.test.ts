import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { s3Artifacts } from '../../src/database/artifacts/s3.ts'
import { type ArtifactStore, digestOf } from '../../src/database/artifacts/store.ts'
import { type ArtifactRig, diskRig, s3Rig, silentServer } from '../support/artifact-rigs.ts'

const decidedAt = Date.UTC(2026, 10, 21, 23, 59, 59)
const shop = { serviceId: 7, decidedAt }
const page = Buffer.from('<p>Zepsuło się</p>'.repeat(100))

let rig: ArtifactRig

async function readAll(store: ArtifactStore, key: string, end: number, start = 0): Promise<Buffer | null> {
  const found = await store.open(key, { start, end })
  return found === null ? null : buffer(found)
}

const isThere = async (key: string) => (await readAll(rig.store, key, page.length)) !== null

describe.each([
  ['on disk', diskRig],
  ['in a bucket', s3Rig],
])('artifacts %s', (_where, makeRig) => {
  beforeEach(async () => {
    rig = await makeRig()
  })
  afterEach(() => rig.close())

  test('come back byte for byte, also to another process, and lie there compressed', async () => {
    const key = await rig.store.put(page, shop)
    expect(await readAll(rig.other, key, page.length)).toEqual(page)
    const empty = await rig.store.put(Buffer.alloc(0), shop)
    expect(await readAll(rig.store, empty, 0)).toEqual(Buffer.alloc(0))
    const longest = Math.max(...[...(await rig.kept()).values()].map((bytes) => bytes.length))
    expect(longest).toBeLessThan(page.length / 4)
  })

  test('come back in parts', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251))
    const key = await rig.store.put(bytes, shop)
    const anyRange = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: bytes.length }))
    await fc.assert(
      fc.asyncProperty(anyRange, async ([start, length]) => {
        const end = Math.min(start + length, bytes.length)
        expect((await readAll(rig.store, key, end, start))?.equals(bytes.subarray(start, end))).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  test('are named by their day, their service and their bytes: the same page again is kept once', async () => {
    const key = await rig.store.put(page, shop)
    expect(key).toMatch(/^20261121\/7\/[0-9a-f]{64}$/)
    expect(digestOf(key)).toBe(key.slice(-64))
    expect(await rig.other.put(page, { ...shop, decidedAt: decidedAt - 3_600_000 })).toBe(key)
    expect((await rig.kept()).size).toBeGreaterThan(0)
    const size = (await rig.kept()).size
    expect(await rig.store.put(page, { ...shop, decidedAt: decidedAt + 1000 })).toMatch(/^20261122\/7\//)
    expect(await rig.store.put(page, { ...shop, serviceId: 8 })).toMatch(/^20261121\/8\//)
    expect((await rig.kept()).size).toBe(size * 3)
  })

  test('may be put by many at once', async () => {
    const puts = Array.from({ length: 20 }, (_, number) => [rig.store, rig.other][number % 2]?.put(page, shop))
    const keys = new Set(await Promise.all(puts))
    expect(keys.size).toBe(1)
    expect(await readAll(rig.store, [...keys][0] ?? '', page.length)).toEqual(page)
    const copies = [...(await rig.kept()).values()].filter((bytes) => bytes.subarray(0, 2).toString('hex') === '1f8b')
    expect(copies.map((bytes) => gunzipSync(bytes).equals(page))).toEqual([true])
  })

  test('are listed by day and service and go together, others stay', async () => {
    const other = { ...shop, serviceId: 70 }
    const later = { ...shop, decidedAt: decidedAt + 86_400_000 }
    const [first, second] = [await rig.store.put(page, shop), await rig.store.put(Buffer.from('more'), shop)]
    const stay = [await rig.store.put(page, other), await rig.store.put(page, later)]
    expect(await rig.other.days()).toEqual(['20261121', '20261122'])
    expect((await rig.other.servicesOn('20261121')).toSorted((one, two) => one - two)).toEqual([7, 70])
    expect(await rig.other.remove('20261121', 7)).toBe(2)
    expect(await rig.other.remove('20261121', 7)).toBe(0)
    expect([await isThere(first), await isThere(second)]).toEqual([false, false])
    for (const key of stay) expect(await isThere(key)).toBe(true)
    await rig.store.remove('20261121', 70)
    expect(await rig.store.days()).toEqual(['20261122'])
  })

  test('are there for keys of our own making only', async () => {
    const key = await rig.store.put(page, shop)
    const digest = digestOf(key)
    const strangers = [
      `../${key}`,
      `20261121/7/../../20261121/7/${digest}`,
      `20261121/7/${digest}.gz`,
      `20261121/7/${digest.toUpperCase()}`,
      `20261121\\7\\${digest}`,
      `20261121/07/${digest}`,
      `20261121/7/${digest}\0`,
      `${key}\n`,
      '/etc/passwd',
      'drafts',
      '',
      '__proto__',
      key.replace('20261121', '20261122'),
    ]
    for (const stranger of strangers)
      expect([stranger, await readAll(rig.store, stranger, 1)]).toEqual([stranger, null])
    expect(await isThere(key)).toBe(true)
  })

  test('that cannot be kept are told, with no word of the credentials', async () => {
    await rig.store.tryOut()
    expect([...(await rig.kept()).keys()].filter((path) => /probe/.test(path))).toEqual([])
    await rig.breakDown()
    for (const attempt of [() => rig.store.put(page, shop), () => rig.store.tryOut(), () => rig.store.days()]) {
      const error = await attempt().then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(Error)
      expect(JSON.stringify({ ...(error as Error) }) + String(error)).not.toContain('S3RVER')
    }
  })

  test('may be left unread', async () => {
    const key = await rig.store.put(page, shop)
    for (let turn = 0; turn < 200; turn += 1) (await rig.store.open(key, { start: 0, end: page.length }))?.destroy()
    expect(await isThere(key)).toBe(true)
  })
})

describe('a bucket', () => {
  test('has the whole of an object when it is acknowledged, however slow its disk is', async () => {
    const bucket = await s3Rig()
    const { write } = fs
    // The object itself takes longer than the store's notes on it.
    const slow = vi.spyOn(fs, 'write').mockImplementation(((...args: Parameters<typeof write>) => {
      const [, bytes] = args as readonly unknown[]
      const isObject = Buffer.isBuffer(bytes) && bytes.subarray(0, 2).toString('hex') === '1f8b'
      setTimeout(() => write(...args), isObject ? 1000 : 0)
    }) as typeof write)
    try {
      const key = await bucket.store.put(page, shop)
      expect(await readAll(bucket.other, key, page.length)).toEqual(page)
    } finally {
      slow.mockRestore()
      await bucket.close()
    }
  })

  test('holds up nobody when it is silent', async () => {
    const { url, close } = await silentServer()
    const place = { endpoint: url, region: 'us-east-1', bucket: 'evidence', prefix: '' }
    const store = s3Artifacts({ ...place, credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } })
    try {
      await expect(store.put(page, shop)).rejects.toThrow(
        'The bucket evidence cannot be used: it did not answer in 5000 ms',
      )
    } finally {
      close()
    }
  })

  test('that refuses the key or is not there says so', async () => {
    const { place, close } = await s3Rig()
    try {
      const credentials = { accessKeyId: 'nobody', secretAccessKey: 'very secret' }
      const refused = s3Artifacts({ ...place, credentials }).tryOut()
      await expect(refused).rejects.toThrow(
        'The bucket latarnik-evidence cannot be used: InvalidAccessKeyId (HTTP 403)',
      )
      const missing = s3Artifacts({ ...place, bucket: 'elsewhere' }).put(page, shop)
      await expect(missing).rejects.toThrow('The bucket elsewhere cannot be used: NoSuchBucket (HTTP 404)')
    } finally {
      await close()
    }
  })

  test('with more than one listing tells is gone through to the end', async () => {
    const bucket = await s3Rig()
    try {
      for (const text of ['1', '2', '3', '4', '5', '6', '7']) await bucket.store.put(Buffer.from(text), shop)
      await bucket.store.put(page, { ...shop, serviceId: 8 })
      const leafing = s3Artifacts(bucket.place, { pageSize: 3 })
      expect(await leafing.servicesOn('20261121')).toEqual([7, 8])
      expect(await leafing.remove('20261121', 7)).toBe(7)
      expect(await leafing.servicesOn('20261121')).toEqual([8])
    } finally {
      await bucket.close()
    }
  })

  test('shared by two prefixes keeps them apart', async () => {
    const bucket = await s3Rig()
    try {
      const [one, other] = [bucket.store, s3Artifacts({ ...bucket.place, prefix: '' })]
      const key = await one.put(page, shop)
      expect(await readAll(other, key, page.length)).toBeNull()
      expect(await other.days()).toEqual([])
      await other.put(page, shop)
      await other.remove('20261121', 7)
      expect(await readAll(one, key, page.length)).toEqual(page)
    } finally {
      await bucket.close()
    }
  })
})
