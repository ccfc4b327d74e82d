import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { startStory, startSurroundings } from '../crash/story.ts'
import { type Victim, victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { isLong, needsLong } from './length.ts'

const services = 20
/** Calls at a time, each with a body that JSON makes twenty megabytes of. */
const callers = 40
/** Milliseconds. */
const longest = 120_000
const eventful = 10_000
const body = `{"name":[${'[],'.repeat(340_000)}[]]}`

/** Asks for more than the heap holds, until the program is gone. */
async function exhaust(program: Victim): Promise<void> {
  const headers = { authorization: program.authorization(), 'content-type': 'application/json' }
  const address = `${program.api()}/groups`
  const until = performance.now() + longest
  const call = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await fetch(address, { method: 'POST', headers, body }).catch(() => null)
      if (answer === null && (await fetch(address).catch(() => null)) === null) return
      await answer?.arrayBuffer().catch(() => null)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

test('a program that runs out of heap at its work says so and ends; the next one has all that was acknowledged and tells nothing twice', {
  timeout: 400_000,
}, async (context) => {
  if (!isLong) context.skip(needsLong)
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const surroundings = await startSurroundings(3)
  const settings = { SMTP_URL: surroundings.mailbox.url, NODE_OPTIONS: '--max-old-space-size=64' }
  const program = victim({ DATA_DIR: data.path, ...settings })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const database = connect({ url: (await runningEmbeddedUrl(data.path)) ?? '', onError: () => undefined })
  onTestFinished(() => database.close())
  const story = await startStory(surroundings, { victim: program, database, seed: 3, services })
  await delay(eventful)
  await exhaust(program)
  const { outcome, words } = await program.lastWords()
  expect(outcome).toBe('SIGABRT')
  expect(words).toMatch(/JavaScript heap out of memory/)
  process.stdout.write(
    `${words
      .split('\n')
      .filter((line) => /heap/i.test(line))
      .join('\n')}\n`,
  )
  await program.start()
  await story.calmDown(longest)
  await story.expectIntact()
})
