import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { type Chance, storyFromEnvironment } from './chance.ts'
import { expireDeliveries } from './scene.ts'
import { startStory, startSurroundings } from './story.ts'
import { inTurn, type Victim, victim } from './victim.ts'

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

/** A program that begins anew as soon as it was killed. */
interface Phoenix extends Victim {
  /** Kills it and starts it again, without waiting for that. */
  die(): Promise<void>
  /** Resolves when it is ready, or was killed before. */
  risen(): Promise<void>
}

function phoenix(program: Victim): Phoenix {
  let rising = Promise.resolve()
  return {
    ...program,
    async die() {
      await program.kill()
      rising = program.start().catch(() => undefined)
    },
    risen: () => rising,
  }
}

/** Waits for a moment to kill these: sometimes while they begin, or while a mail is on its way. */
async function badMoment(dying: readonly Phoenix[], mailbox: Mailbox, chance: Chance): Promise<void> {
  const way = chance.next()
  if (way < 0.15) return void (await delay(chance.between(0, 900)))
  await Promise.all(dying.map((program) => program.risen()))
  if (way < 0.35) return whileAMailIsHandedOver(mailbox, 2000)
  await delay(chance.between(100, 900))
}

async function setting() {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const surroundings = await startSurroundings(seed)
  async function startOne(): Promise<Phoenix> {
    const program = victim({ DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
    onTestFinished(async () => void (await program.stop()))
    await program.start()
    return phoenix(program)
  }
  const first = await startOne()
  const programs = [first, await startOne()] as const
  const story = await startStory(surroundings, { victim: inTurn(programs), database, seed, services: 40 })
  return { programs, database, story }
}

test(`two programs, killed ${kills} times under load one by one and together, lose nothing and double nothing`, async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  const { programs, database, story } = await setting()
  const { chance, witness, mailbox } = story
  await delay(1500)
  for (let kill = 0, turn = 0; kill < kills; turn += 1) {
    const dying = chance.happens(0.3) ? programs : [programs[turn % 2 === 0 ? 0 : 1]]
    await badMoment(dying, mailbox, chance)
    const looking = witness.look()
    await delay(chance.between(0, 60))
    await Promise.all(dying.map((program) => program.die()))
    await looking
    kill += dying.length
  }
  const killedAt = Math.max(...programs.map((program) => program.killedAt()))
  await Promise.all(programs.map((program) => program.risen()))
  await expireDeliveries(database, killedAt)
  await story.calmDown()
  await story.expectIntact()
  for (const program of programs) expect(await program.stop()).toBe(0)
}, 900_000)
