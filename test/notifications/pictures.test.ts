import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openArtifacts } from '../../src/database/artifacts/open.ts'
import type { ArtifactStore } from '../../src/database/artifacts/store.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { pictureReader } from '../../src/notifications/pictures.ts'
import { failureAt, failureNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

const picture = Buffer.from('not really a picture, but bytes')
const refused = { error_type_id: 2001, error_message: 'connection refused' }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const analysisId = failureAt * 100
const facts = failureNotice({ analysis_id: String(analysisId) })

let world: World
let directory: string
let store: ArtifactStore

beforeAll(async () => {
  world = await newWorld()
  directory = await mkdtemp(join(tmpdir(), 'pictures-'))
  store = openArtifacts({ directory })
  const origin = { serviceId: facts.service.id, decidedAt: failureAt }
  const kept = { id: 'screenshot', content_type: 'image/png', is_truncated: false }
  const artifacts = [{ ...kept, key: await store.put(picture, origin), size: picture.length }]
  await ensurePartitions(world.database, failureAt, 1)
  await world.database.transaction((transaction) =>
    insertAnalyses(transaction, [
      {
        ...{ serviceId: facts.service.id, analysisId, verdict: 'failure', errorTolerance: 51 },
        ...{
          sensorIds: [1, 2],
          results: ['e', 'e'],
          timeOffsets: [0, 0],
          responseTimes: [-1, -1],
          dataSizes: [-1, -1],
        },
        phases: Array(12).fill(-1),
        failures: { 1: { ...refused, artifacts: [] }, 2: { ...refused, artifacts } },
      },
    ]),
  )
})
afterEach(() => world.reset())
afterAll(async () => {
  await world.close()
  await rm(directory, { recursive: true, force: true })
})

test('an extended mail shows the picture that is kept, also to readers of text by its address', async () => {
  await world.intent({ facts, channelId: 'email_extended' })
  await world.intent({ facts, channelId: 'email', addressId: 8 })
  const readPicture = pictureReader(world.database, store, log)
  await (await world.notifier({ readPicture })).drain()
  const extended = world.mailbox.mails.find(({ raw }) => raw.includes('picture@latarnik'))
  const plain = world.mailbox.mails.find((mail) => mail !== extended)
  expect(extended?.parsed.attachments).toMatchObject([
    {
      contentType: 'image/png',
      contentDisposition: 'inline',
      filename: 'screenshot.png',
      cid: 'picture@latarnik',
      related: true,
    },
  ])
  expect(extended?.parsed.attachments[0]?.content).toEqual(picture)
  expect(extended?.raw).toContain('Local 2')
  expect(extended?.parsed.text).toContain('#sensor-2')
  expect(plain?.parsed.attachments).toEqual([])
})

test.each([
  ['is gone', { ...facts, analysis_id: String(analysisId + 100) }],
  ['was never taken', failureNotice({ checks: facts.checks.map((check) => ({ ...check, artifact_ids: [] })) })],
  ['belongs to another service', failureNotice({ ...facts, service: { ...facts.service, id: 13 } })],
])('a picture that %s is left out', async (_, other) => {
  expect(await pictureReader(world.database, store, log)(other)).toBeNull()
})

test('a store that cannot be read costs the picture, not the mail', async () => {
  const broken: ArtifactStore = { ...store, open: () => Promise.reject(new Error('the store is away')) }
  expect(await pictureReader(world.database, broken, log)(facts)).toBeNull()
})

test('a store that hangs costs a moment, not the mail', async () => {
  const hanging: ArtifactStore = { ...store, open: () => new Promise(() => undefined) }
  const before = performance.now()
  expect(await pictureReader(world.database, hanging, log)(facts)).toBeNull()
  expect(performance.now() - before).toBeLessThan(30_000)
})
