import { beforeEach, expect, test } from 'vitest'
import type { ArtifactTypeId } from '../../src/domain/dictionaries.ts'
import { artifactLimits, type MissingArtifact } from '../../src/domain/judging/evidence.ts'
import { EvidenceKeeper } from '../../src/monitoring/evidence.ts'
import type { CheckEvidence } from '../../src/sensor/protocol.ts'
import { type VirtualClock, virtualClock } from '../support/clock.ts'

const origin = { serviceId: 7, decidedAt: Date.UTC(2026, 10, 21) }

let clock: VirtualClock
/** The store's reaction to the next artifact. */
let storing: (bytes: Uint8Array) => Promise<string>
let asked: number
let counted: MissingArtifact[]
let told: { readonly level: string; readonly text: string | undefined; readonly facts: unknown }[]
let keeper: EvidenceKeeper

beforeEach(() => {
  clock = virtualClock()
  asked = 0
  counted = []
  told = []
  storing = async (bytes) => `key of ${bytes.length}`
  const say = (level: string) => (facts: unknown, text?: string) => void told.push({ level, facts, text })
  keeper = new EvidenceKeeper({
    timers: clock,
    log: { info: say('info'), warn: say('warn'), error: say('error') },
    onMissing: (artifact) => void counted.push(artifact),
    keepArtifact(bytes) {
      asked += 1
      return storing(bytes)
    },
  })
})

function evidence(sizes: Partial<Record<ArtifactTypeId, number>>, facts: CheckEvidence['facts'] = {}): CheckEvidence {
  return {
    ...{
      base_url: '',
      ip_address: null,
      status_code: null,
      response_headers: null,
      content_type: null,
      file_name: null,
    },
    facts,
    artifacts: Object.entries(sizes).map(([id, size]) => ({
      ...{ typeId: id as ArtifactTypeId, contentType: 'text/plain', bytes: new Uint8Array(size) },
    })),
  }
}

const keepPage = () => keeper.keep(evidence({ content: 3 }), origin)
const lost = { artifacts: [], missing: [{ id: 'content', reason: 'not_stored' }] }

test('what is cut or left out for its size is told with what is kept', async () => {
  const { content, har } = artifactLimits
  const kept = await keeper.keep(evidence({ content: content + 1, har: har + 1, screenshot: 9 }), origin)
  expect(kept.artifacts).toMatchObject([
    { id: 'content', key: `key of ${content}`, size: content, is_truncated: true },
    { id: 'screenshot', key: 'key of 9', size: 9, is_truncated: false },
  ])
  expect(kept.missing).toEqual([{ id: 'har', reason: 'too_large' }])
})

test('what the station could not take is told and counted with what the store does not keep', async () => {
  const given = { ...evidence({ content: 3 }), missing: [{ id: 'screenshot', reason: 'timed_out' }] as const }
  expect((await keeper.keep(given, origin)).missing).toEqual(given.missing)
  storing = () => Promise.reject(new Error('ENOSPC'))
  await keeper.keep(given, origin)
  const [screenshot] = given.missing
  expect(counted).toEqual([screenshot, screenshot, ...lost.missing])
})

test('a page that the sensor cut already is told as such', async () => {
  const kept = await keeper.keep(evidence({ content: 5 }, { content_is_cut: true }), origin)
  expect(kept.artifacts).toMatchObject([{ size: 5, is_truncated: true }])
})

test('a full disk is told once, what is lost is counted, and after a pause one artifact tries again', async () => {
  storing = () => Promise.reject(new Error('ENOSPC'))
  for (let turn = 0; turn < 10; turn += 1) expect(await keepPage()).toEqual(lost)
  expect(asked).toBe(1)
  clock.advance(30_000)
  await Promise.all([keepPage(), keepPage(), keepPage()])
  expect(asked).toBe(2)
  expect(told.map(({ level }) => level)).toEqual(['error'])
  storing = async () => 'key'
  clock.advance(30_000)
  expect((await keepPage()).artifacts).toHaveLength(1)
  expect((await keepPage()).artifacts).toHaveLength(1)
  expect(told.slice(1)).toEqual([{ level: 'info', text: 'Evidence is kept again', facts: { seconds: 60, lost: 13 } }])
})

test('a store that hangs holds up a round for five seconds, and the next ones not at all', async () => {
  storing = () => new Promise(() => undefined)
  const waiting = keepPage()
  clock.advance(4999)
  expect(clock.waiting()).toBe(1)
  clock.advance(1)
  expect(await waiting).toEqual(lost)
  expect(await keepPage()).toEqual(lost)
  expect([asked, clock.waiting()]).toEqual([1, 0])
})

test('a store that slept with the whole machine is given its time once more, and what it kept is kept', async () => {
  let keep = (_key: string): void => {}
  storing = () =>
    new Promise((resolve) => {
      keep = resolve
    })
  const waiting = keepPage()
  clock.advance(120_000)
  keep('late key')
  expect((await waiting).artifacts).toMatchObject([{ key: 'late key' }])
  expect(told).toEqual([])
  const another = keepPage()
  clock.advance(120_000)
  clock.advance(5000)
  expect(await another).toEqual(lost)
})
