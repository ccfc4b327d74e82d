import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { type Asker, startAsker } from './asker.ts'
import { type Chance, chanceOf } from './chance.ts'
import { brokenPeriods, doubledRounds, orphans, wrongNotices, wrongPeriods, wrongSums } from './ledger.ts'
import { wrongMails } from './mails.ts'
import { makeScene, type Scene } from './scene.ts'
import { startTargets, type Targets } from './targets.ts'
import type { Victim } from './victim.ts'
import { startWitness, type Witness } from './witness.ts'
import { startWriters, type Writers } from './writers.ts'

/** A program under load, ready to be killed, and everything that watches it. */
export interface Story {
  readonly chance: Chance
  readonly mailbox: Mailbox
  readonly targets: Targets
  readonly scene: Scene
  readonly witness: Witness
  /** Ends the load and waits until the program has caught up with everything. */
  calmDown(): Promise<void>
  /** Compares everything with what it must be. */
  expectIntact(): Promise<void>
  close(): Promise<void>
}

export interface StoryParts {
  readonly victim: Victim
  readonly database: Database
  readonly seed: number
  readonly services: number
}

const writerCount = 6

export interface Surroundings {
  readonly mailbox: Mailbox
  readonly targets: Targets
}

/** Before the program: it is told where they are. */
export async function startSurroundings(seed: number): Promise<Surroundings> {
  return { mailbox: await startMailbox(), targets: await startTargets(seed) }
}

export async function startStory({ mailbox, targets }: Surroundings, parts: StoryParts): Promise<Story> {
  const { victim, database, seed, services } = parts
  const chance = chanceOf(seed)
  const scene = await makeScene(victim, targets, services)
  const witness = startWitness(database)
  const writers = startWriters(victim, scene.kinds, chance.branch(1), writerCount)
  const asker = startAsker(victim, scene.asked, chance.branch(2))
  const people = { writers, asker }
  return {
    ...{ chance, mailbox, targets, scene, witness },
    async calmDown() {
      await Promise.all([writers.stop(), asker.stop()])
      targets.freeze()
      await catchUp(database, scene, targets)
    },
    expectIntact: () => expectIntact(parts, { mailbox, targets, scene, witness }, people),
    async close() {
      await Promise.all([writers.stop(), asker.stop()])
      await targets.close()
      await mailbox.stop()
    },
  }
}

/** Milliseconds: a lease, the longest interval, and some patience with a busy machine. */
const catchUpPatience = 25_000

/** Until every service was analysed anew and shows the truth, and everything was told. */
export async function catchUp(database: Database, { fleet }: Scene, { isUp }: Targets): Promise<void> {
  const since = new Date()
  const truth = fleet.map((_id, page) => (isUp(page) ? 'ok' : 'failure'))
  const late = sql`
    select service_id from unnest(${fleet}::int[], ${truth}::text[]) as wanted (service_id, state)
      left join service_statuses s using (service_id)
    where s.state is distinct from wanted.state or s.last_analysis_time <= ${since}
    union all select service_id from notification_intents where status = 'pending'
    union all select service_id from schedule where reason = 'forced'`
  await expect.poll(() => database.query(late), { timeout: catchUpPatience, interval: 250 }).toEqual([])
}

async function expectIntact(
  { victim, database }: StoryParts,
  { mailbox, scene, witness }: Surroundings & Pick<Story, 'scene' | 'witness'>,
  { writers, asker }: { readonly writers: Writers; readonly asker: Asker },
): Promise<void> {
  const { fleet, fleetGroupId } = scene
  const [counts] = await database.query(sql`select (select count(*) from analyses_hot) as analyses,
    (select count(*) from status_changes) as changes, (select count(*) from notification_intents) as notices,
    (select count(*) from notification_intents where error_message is not null) as unconfirmed`)
  const byText: Record<string, number> = {}
  for (const c of victim.complaints()) byText[c.level + c.text] = (byText[c.level + c.text] ?? 0) + 1
  process.stdout.write(
    `DEBUG ${JSON.stringify({ ...(counts as object), acknowledged: writers.acknowledged(), unanswered: writers.unanswered(), mails: mailbox.mails.length, seen: witness.seen(), byText }, null, 1)}\n`,
  )
  expect.soft(await writers.audit()).toEqual([])
  expect.soft(await asker.audit(database)).toEqual([])
  expect.soft(await witness.lost()).toEqual([])
  expect.soft(await doubledRounds(database, fleet)).toEqual([])
  expect.soft(await wrongPeriods(database, fleet)).toEqual([])
  expect.soft(await wrongNotices(database, fleet)).toEqual([])
  expect.soft(await wrongMails(database, mailbox.mails)).toEqual([])
  expect.soft(await brokenPeriods(database)).toEqual([])
  expect.soft(await orphans(database)).toEqual([])
  expect.soft(await wrongSums(database, fleetGroupId)).toEqual([])
  expect.soft(writers.acknowledged()).toBeGreaterThan(0)
  expect.soft(mailbox.mails.length).toBeGreaterThan(0)
  expect.soft(victim.complaints().filter(({ level }) => level >= 50)).toEqual([])
}
