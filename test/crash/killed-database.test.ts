import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { serverPid } from '../support/launcher.ts'
import { storyFromEnvironment } from './chance.ts'
import { expireDeliveries, expireLeases } from './scene.ts'
import { type Story, type Surroundings, startStory, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed, kills } = storyFromEnvironment(0.16)
const data = temporaryDirectory()
let surroundings: Surroundings
let database: Database
let program: Victim
let story: Story

beforeAll(async () => {
  surroundings = await startSurroundings(seed)
  program = victim({ DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  await program.start()
  database = connect({ url: (await runningEmbeddedUrl(data.path)) ?? '', onError: () => undefined })
  story = await startStory(surroundings, { victim: program, database, seed, services: 100 })
}, 60_000)

afterAll(async () => {
  await story.close()
  await database.close()
  await program.stop()
  data.remove()
}, 30_000)

type Death = 'program' | 'server' | 'both'

/** The server dies as it does when the machine runs out of memory. */
function killServer(): void {
  process.kill(serverPid(data.path), 'SIGKILL')
}

async function die(death: Death): Promise<void> {
  if (death !== 'program') killServer()
  if (death === 'server') {
    await expect.poll(() => program.call('GET', '/groups?limit=1'), patiently).toMatchObject({ status: 503 })
    await expect.poll(() => program.call('GET', '/groups?limit=1'), patiently).toMatchObject({ status: 200 })
    return
  }
  await program.kill()
  await program.start()
  if (story.chance.happens(0.5)) await expireLeases(database, program.killedAt())
}

const patiently = { timeout: 20_000, interval: 10 }

test(`the bundled server and the program, killed ${kills} times between them, lose nothing and double nothing`, async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(story.chance.between(300, 1500))
    await story.witness.look()
    const dd = story.chance.oneOf<Death>(['program', 'server', 'both'])
    const t0 = Date.now()
    await die(dd)
    process.stdout.write(`DEBUG ${dd} ${Date.now() - t0}\n`)
  }
  await expireDeliveries(database, program.killedAt())
  await story.calmDown()
  await story.expectIntact()
}, 120_000)
