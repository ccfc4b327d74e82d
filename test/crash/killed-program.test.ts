import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { type Chance, storyFromEnvironment } from './chance.ts'
import { expireDeliveries, expireLeases } from './scene.ts'
import { startStory, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed, kills } = storyFromEnvironment(0.84)

/** Once a mail has come whole and before the server says so. */
async function whileAMailIsHandedOver({ manners }: Mailbox, patience: number): Promise<void> {
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

/** Starts the program and waits for a moment to kill it. */
async function badMoment(program: Victim, mailbox: Mailbox, chance: Chance): Promise<void> {
  const way = chance.next()
  if (way < 0.15) {
    program.launch()
    return void (await delay(chance.between(0, 900)))
  }
  await program.start()
  if (way < 0.35) return whileAMailIsHandedOver(mailbox, 2000)
  await delay(chance.between(100, 900))
}

async function setting() {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const surroundings = await startSurroundings(seed)
  const program = victim({ DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const story = await startStory(surroundings, { victim: program, database, seed, services: 250 })
  return { program, database, story }
}

test(`killed ${kills} times under load, it loses nothing and doubles nothing`, async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  const { program, database, story } = await setting()
  const { chance, witness, mailbox } = story
  await delay(1500)
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill > 0) await badMoment(program, mailbox, chance)
    const looking = witness.look()
    await delay(chance.between(0, 60))
    await program.kill()
    await looking
    if (chance.happens(0.5)) await expireLeases(database, program.killedAt())
  }
  await expireDeliveries(database, program.killedAt())
  await program.start()
  await story.calmDown()
  await story.expectIntact()
  expect(await program.stop()).toBe(0)
}, 300_000)
