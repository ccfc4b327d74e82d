import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { serverPid } from '../support/launcher.ts'
import { storyFromEnvironment } from './chance.ts'
import { expireDeliveries } from './scene.ts'
import { startStory, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed, kills } = storyFromEnvironment(0.16)

type Death = 'program' | 'server' | 'both'

/** Kills the server as the system does that runs out of memory, and waits until the program has brought it back. */
async function outage(program: Victim, directory: string): Promise<void> {
  const dead = killServer(directory)
  await expect.poll(() => serverPid(directory)).not.toBe(dead)
  await expect.poll(async () => (await program.call('GET', '/groups?limit=1'))?.status).toBe(200)
}

function killServer(directory: string): number {
  const pid = serverPid(directory)
  process.kill(pid, 'SIGKILL')
  return pid
}

async function setting() {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const surroundings = await startSurroundings(seed)
  const program = victim({ DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const database = connect({ url: (await runningEmbeddedUrl(data.path)) ?? '', onError: () => undefined })
  onTestFinished(() => database.close())
  const story = await startStory(surroundings, { victim: program, database, seed, services: 100 })
  return { program, database, story, directory: data.path }
}

test(`the bundled server and the program, killed ${kills} times between them, lose nothing and double nothing`, async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  const { program, database, story, directory } = await setting()
  const { chance, witness } = story

  async function die(death: Death): Promise<void> {
    if (death === 'server') return outage(program, directory)
    if (death === 'both') killServer(directory)
    await program.kill()
    await program.start()
  }

  for (let kill = 0; kill < kills; kill += 1) {
    await delay(chance.between(300, 1500))
    await witness.look()
    await die(chance.oneOf<Death>(['program', 'server', 'both']))
  }
  // Interrupted deliveries would be tried again in minutes.
  await expireDeliveries(database, Date.now())
  await story.calmDown()
  await story.expectIntact()
}, 200_000)
