import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import { s3Artifacts } from '../../src/database/artifacts/s3.ts'
import { type ArtifactStore, isWhole, keyOf, longestArtifact } from '../../src/database/artifacts/store.ts'

const origin = { serviceId: 7, decidedAt: Date.UTC(2026, 10, 21) }
const page = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251))
const key = keyOf(page, origin)
/** Of the same length, and the same but for its last byte. */
const forged = Buffer.concat([page.subarray(0, -1), Buffer.from([page.at(-1) === 1 ? 2 : 1])])

let servers: Server[] = []

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
})

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

async function bucketThat(answer: RequestListener, objectPatience = 60_000): Promise<ArtifactStore> {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const endpoint = await listening(answer)
  return s3Artifacts({ endpoint, region: 'us-east-1', bucket: 'evidence', prefix: '', credentials }, { objectPatience })
}

/** Writes the same piece for as long as somebody listens; returns how much the listener has taken. */
function endlessly(response: ServerResponse, piece: Buffer): () => number {
  let sent = 0
  function more(): void {
    while (!response.destroyed) {
      sent += piece.length
      if (!response.write(piece)) break
    }
    if (!response.destroyed) response.once('drain', more)
  }
  more()
  return () => sent
}

async function read(store: ArtifactStore, start = 0, end = page.length): Promise<Buffer | null> {
  const found = await store.open(key, { start, end })
  return found === null ? null : buffer(found)
}

test('bytes of another object never make a complete artifact, whole or in part', async () => {
  const store = await bucketThat((_request, response) => response.end(gzipSync(forged)))
  await expect(read(store)).rejects.toThrow('An artifact does not have the bytes of its key')
  await expect(read(store, 0, 10)).rejects.toThrow('An artifact does not have the bytes of its key')
  await expect(read(store, 99_000, 99_001)).rejects.toThrow('An artifact does not have the bytes of its key')
  expect(await isWhole(key, (await store.kept(key)) ?? Buffer.alloc(0))).toBe(false)
})

test('nor does a damaged file on disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-artifacts-'))
  try {
    const store = diskArtifacts(directory)
    const path = join(directory, `${key}.gz`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, gzipSync(forged))
    await expect(read(store)).rejects.toThrow('An artifact does not have the bytes of its key')
    await writeFile(path, gzipSync(page))
    expect((await read(store))?.equals(page)).toBe(true)
    expect(await isWhole(key, (await store.kept(key)) ?? Buffer.alloc(0))).toBe(true)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('an error in an answer of success is no artifact', async () => {
  const store = await bucketThat((_request, response) =>
    response.end('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'),
  )
  await expect(read(store)).rejects.toThrow('incorrect header check')
  await expect(store.put(page, origin)).rejects.toThrow('The bucket evidence cannot be used: SlowDown')
})

test.each([301, 302, 307, 308])('a redirect by %i leads nowhere', async (status) => {
  let asked = 0
  const inside = await listening((_request, response) => {
    asked += 1
    response.end(gzipSync(page))
  })
  const store = await bucketThat((_request, response) =>
    response
      .writeHead(status, { Location: `${inside}/evidence/${key}.gz` })
      .end(`<Error><Code>TemporaryRedirect</Code><Endpoint>${inside.slice('http://'.length)}</Endpoint></Error>`),
  )
  await expect(read(store)).rejects.toThrow(`(HTTP ${status})`)
  await expect(store.put(page, origin)).rejects.toThrow(`(HTTP ${status})`)
  expect(asked).toBe(0)
})

test('a small object that unpacks without end is left off', async () => {
  const bomb = gzipSync(Buffer.alloc(longestArtifact + 1))
  const store = await bucketThat((_request, response) => response.end(bomb))
  await expect(read(store)).rejects.toThrow(`An artifact has more than ${longestArtifact} bytes`)
  expect(await isWhole(key, bomb)).toBe(false)
})

test.each<[string, number, (store: ArtifactStore) => Promise<unknown>]>([
  ['an object', 200, (store) => store.kept(key)],
  ['an error', 500, (store) => store.kept(key)],
  ['a list', 200, (store) => store.days()],
])('%s without end is left off before it fills the memory', async (_what, status, work) => {
  const taken: (() => number)[] = []
  const store = await bucketThat((_request, response) => {
    response.writeHead(status)
    response.write('<ListBucketResult>')
    taken.push(endlessly(response, Buffer.alloc(1_048_576, '<Contents><Key>20261121/7/a</Key></Contents>')))
  })
  await expect(work(store)).rejects.toThrow(`its answer has more than ${longestArtifact} bytes`)
  for (const bytes of taken) expect(bytes()).toBeLessThan(4 * longestArtifact)
})

test('an object that comes drop by drop holds up no backup', async () => {
  const store = await bucketThat((_request, response) => {
    const drops = setInterval(() => response.write('a'), 20)
    response.on('close', () => clearInterval(drops))
  }, 300)
  await expect(store.kept(key)).rejects.toThrow('The bucket sends an object too slowly')
})

test.each([
  ['the same names again and again', '20261121/7/a.gz', 2],
  ['names of somebody else', '20261120/7/a.gz', 1],
])('a list of %s ends', async (_what, name, most) => {
  let asked = 0
  const store = await bucketThat((_request, response) => {
    asked += 1
    response.end(`<ListBucketResult><Contents><Key>${name}</Key></Contents></ListBucketResult>`)
  })
  await expect(store.servicesOn('20261121')).rejects.toThrow('The bucket lists other names than it was asked for')
  expect(asked).toBe(most)
})

test('entities of a list are neither unfolded nor fetched', async () => {
  let asked = 0
  const inside = await listening((_request, response) => {
    asked += 1
    response.end('inside')
  })
  const nested = Array.from({ length: 11 }, (_, depth) => `<!ENTITY e${depth + 1} "${`&e${depth};`.repeat(10)}">`)
  const store = await bucketThat((_request, response) =>
    response.end(
      `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY e0 "20261121"><!ENTITY x SYSTEM "${inside}">${nested.join('')}]>` +
        '<ListBucketResult><Contents><Key>20261121/7/&e11;&x;</Key></Contents></ListBucketResult>',
    ),
  )
  expect(await store.days()).toEqual(['20261121'])
  expect(asked).toBe(0)
})
