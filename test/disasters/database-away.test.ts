import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { missedRounds } from '../crash/ledger.ts'
import { makeScene, type Scene } from '../crash/scene.ts'
import { catchUp, faultsOf, type Surroundings, startSurroundings } from '../crash/story.ts'
import { type Victim, victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { cutLine } from '../support/cut-line.ts'
import { testDatabase } from '../support/database.ts'
import { serverPid } from '../support/launcher.ts'
import { patiently } from '../support/patience.ts'
import { isLong, needsLong } from './length.ts'
import { familyOf, signal } from './processes.ts'

const services = 20
/** Milliseconds. */
const outage = isLong ? 60_000 : 4000
/** Nobody is left without an answer for longer: so long it takes to ask whether a silent server still speaks. */
const longestAnswer = 28_000
/** Rounds at the borders of an outage may be lost with it, and a busy machine needs time to go on. */
const border = 8000

/** One way in which a database is away. */
interface Way {
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

interface Stage {
  readonly program: Victim
  readonly database: Database
  readonly scene: Scene
  readonly surroundings: Surroundings
}

interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
  readonly error: unknown
  readonly milliseconds: number
}

async function ask(program: Victim): Promise<Refusal> {
  const began = performance.now()
  const response = await fetch(`${program.api()}/groups`, { headers: { authorization: program.authorization() } })
  const body = (await response.json()) as readonly { readonly error?: string }[]
  const milliseconds = performance.now() - began
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    error: body[0]?.error,
    milliseconds,
  }
}

async function healthOf(program: Victim): Promise<unknown> {
  return (await fetch(new URL('/readyz', program.api() ?? ''))).json()
}

/** Lets the database be away for a while, and looks at what the API says meanwhile. */
async function endure({ program, database, scene }: Stage, { begin, end }: Way): Promise<void> {
  const from = Date.now()
  await begin()
  const answer = await ask(program)
  expect(answer).toMatchObject({ status: 503, retryAfter: '5', error: 'service_unavailable' })
  expect(answer.milliseconds).toBeLessThan(longestAnswer)
  expect(await healthOf(program)).toEqual({ status: 'unavailable', reasons: ['database'] })
  await delay(Math.max(0, from + outage - Date.now()))
  await end()
  const backAt = Date.now()
  await expect.poll(async () => (await ask(program)).status, { ...patiently, interval: 100 }).toBe(200)
  await expect.poll(() => healthOf(program), { ...patiently, interval: 100 }).toEqual({ status: 'ok' })
  if (!isLong) return
  await delay(2 * border)
  const missed = await missedRounds(database, scene.fleet, { from: backAt + border, to: Date.now() - 1500 })
  expect(missed).toEqual([])
}

async function expectIntact({ program, database, scene, surroundings }: Stage): Promise<void> {
  const { targets, mailbox } = surroundings
  targets.freeze()
  await catchUp(database, scene, targets)
  expect(await faultsOf(database, scene, mailbox)).toEqual({})
  const away = program
    .complaints()
    .filter(({ text }) => text.startsWith('The database is unreachable; monitoring waits for it'))
  expect(away.length).toBeGreaterThan(0)
  // Errors are for what somebody must mend.
  expect(program.complaints().filter(({ level }) => level >= 50)).toEqual([])
}

test('a server of one’s own that says nothing any more (DISASTERS=long: and one that refuses) is told as 503, and everything goes on when it is back', async () => {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const surroundings = await startSurroundings(1)
  const line = await cutLine(url)
  onTestFinished(() => line.close())
  const program = victim({ DATABASE_URL: line.url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const scene = await makeScene(program, surroundings.targets, services)
  const stage = { program, database, scene, surroundings }
  if (isLong) await endure(stage, { begin: line.cut, end: line.mend })
  await endure(stage, { begin: line.fallSilent, end: line.mend })
  await expectIntact(stage)
}, 240_000)

test.for<NodeJS.Signals>(['SIGSTOP', 'SIGTERM', 'SIGQUIT'])(
  'the bundled server that gets %s comes back, by itself where it ends, and nothing is lost or doubled',
  { timeout: 300_000 },
  async (name, context) => {
    if (!isLong) context.skip(needsLong)
    const data = temporaryDirectory()
    onTestFinished(() => data.remove())
    const surroundings = await startSurroundings(1)
    const program = victim({ DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
    onTestFinished(async () => void (await program.stop()))
    await program.start()
    const database = connect({ url: (await runningEmbeddedUrl(data.path)) ?? '', onError: () => undefined })
    onTestFinished(() => database.close())
    const scene = await makeScene(program, surroundings.targets, services)
    const stage = { program, database, scene, surroundings }
    const server = serverPid(data.path)
    const all = familyOf(server)
    if (name === 'SIGSTOP') {
      await endure(stage, { begin: () => signal(all, 'SIGSTOP'), end: () => signal(all, 'SIGCONT') })
    } else {
      signal([server], name)
      await expect.poll(() => serverPid(data.path)).not.toBe(server)
      await expect.poll(async () => (await ask(program)).status).toBe(200)
      await delay(border)
    }
    await expectIntact(stage)
  },
)
