import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../program/launch.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { storyFromEnvironment } from './chance.ts'
import { expireDeliveries, expireLeases } from './scene.ts'
import { type Story, type Surroundings, startStory, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed, kills } = storyFromEnvironment(0.84)
const data = temporaryDirectory()
let surroundings: Surroundings
let world: TestDatabase
let program: Victim
let story: Story

beforeAll(async () => {
  world = await testDatabase()
  surroundings = await startSurroundings(seed)
  program = victim({ DATABASE_URL: world.url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  await program.start()
  story = await startStory(surroundings, { victim: program, database: world.database, seed, services: 250 })
}, 60_000)

afterAll(async () => {
  await program.stop()
  await story.close()
  await world.drop()
  data.remove()
}, 30_000)

/** Once a mail has come whole and before the server says so. */
async function whileAMailIsHandedOver(patience: number): Promise<void> {
  const { manners } = surroundings.mailbox
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(resolve, patience)
    manners.beforeAnswer = async () => {
      manners.beforeAnswer = undefined
      clearTimeout(giveUp)
      resolve()
      // The answer would come after the kill.
      await delay(100)
    }
  })
  manners.beforeAnswer = undefined
}

/** Waits for a moment to kill it, of a life that has just begun. */
async function badMoment(): Promise<void> {
  const { chance } = story
  const way = chance.next()
  if (way < 0.15) {
    program.launch()
    return void (await delay(chance.between(0, 900)))
  }
  await program.start()
  if (way < 0.35) return whileAMailIsHandedOver(2000)
  await delay(chance.between(100, 1200))
}

test(`killed ${kills} times under load, it loses nothing and doubles nothing`, async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  await delay(1500)
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill > 0) await badMoment()
    const looking = story.witness.look()
    await delay(story.chance.between(0, 60))
    await program.kill()
    await looking
    if (story.chance.happens(0.5)) await expireLeases(world.database, program.killedAt())
  }
  await expireDeliveries(world.database, program.killedAt())
  await program.start()
  await story.calmDown()
  await story.expectIntact()
  expect(await program.stop()).toBe(0)
}, 200_000)
