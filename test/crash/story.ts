import sql from 'sql-template-tag'
import { expect, onTestFinished } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { isOnCluster } from '../support/database.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { type Asker, startAsker } from './asker.ts'
import { type Chance, chanceOf } from './chance.ts'
import { brokenPeriods, doubledRounds, orphans, wrongCounts, wrongNotices, wrongPeriods, wrongSums } from './ledger.ts'
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
  /** Ends the load and waits so many milliseconds at most until the program has caught up with everything. */
  calmDown(patience?: number): Promise<void>
  /** Compares everything with what it must be. */
  expectIntact(): Promise<void>
}

export interface StoryParts {
  readonly victim: Pick<Victim, 'call' | 'isReady' | 'complaints'>
  readonly database: Database
  readonly seed: number
  readonly services: number
}

const writerCount = 6

export interface Surroundings {
  readonly mailbox: Mailbox
  readonly targets: Targets
}

/** Before the program: it is told where they are. They go when the test has ended. */
export async function startSurroundings(seed: number): Promise<Surroundings> {
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.stop())
  const targets = await startTargets(seed)
  onTestFinished(() => targets.close())
  return { mailbox, targets }
}

export async function startStory({ mailbox, targets }: Surroundings, parts: StoryParts): Promise<Story> {
  const { victim, database, seed, services } = parts
  const chance = chanceOf(seed)
  const scene = await makeScene(victim, targets, services)
  const witness = startWitness(database)
  const writers = startWriters(victim, scene.kinds, chance.branch(1), writerCount)
  const asker = startAsker(victim, scene.asked, chance.branch(2))
  onTestFinished(async () => void (await Promise.all([writers.stop(), asker.stop()])))
  const people = { writers, asker }
  return {
    ...{ chance, mailbox, targets, scene, witness },
    async calmDown(patience) {
      await Promise.all([writers.stop(), asker.stop()])
      targets.freeze()
      await catchUp(database, scene, targets, patience)
    },
    expectIntact: () => expectIntact(parts, { mailbox, scene, witness }, people),
  }
}

/** Milliseconds: a lease, the longest interval, and some patience with a busy machine. */
const catchUpPatience = 40_000

/** Until every service was analysed anew and shows the truth, and everything was told. */
export async function catchUp(
  database: Database,
  { fleet }: Scene,
  { isUp }: Targets,
  patience = catchUpPatience,
): Promise<void> {
  const since = new Date()
  const truth = fleet.map((_id, page) => (isUp(page) ? 'ok' : 'failure'))
  const late = sql`
    select service_id from unnest(${fleet}::int[], ${truth}::text[]) as wanted (service_id, state)
      left join service_statuses s using (service_id)
    where s.state is distinct from wanted.state or s.last_analysis_time <= ${since}
    union all select service_id from notification_intents where status = 'pending'
    union all select account_id from messages where status = 'pending'
    union all select service_id from schedule where reason = 'forced'
    union all select 0 from unsent_analyses where written_at <= ${since}`
  await expect.poll(() => database.query(late), { timeout: patience, interval: 250 }).toEqual([])
}

/**
 * Everything that must hold whatever was killed, by what it is about; only what is wrong is there. On a cluster
 * analyses follow their verdicts after a moment, or after some seconds.
 */
export async function faultsOf(...of: Parameters<typeof faultsNow>): ReturnType<typeof faultsNow> {
  const here = { timeout: 20_000, interval: 500 }
  if (isOnCluster)
    await expect
      .poll(() => faultsNow(...of), here)
      .toEqual({})
      .catch(() => undefined)
  return faultsNow(...of)
}

async function faultsNow(
  database: Database,
  scene: Scene,
  mailbox: Mailbox,
): Promise<Readonly<Record<string, string[]>>> {
  const { fleet, fleetGroupId } = scene
  const sums = await wrongSums(database, fleetGroupId)
  return wrongOf({
    rounds: await doubledRounds(database, fleet),
    mails: await wrongMails(database, mailbox.mails),
    orphans: await orphans(database),
    periods: [
      ...(await wrongPeriods(database, fleet)),
      ...(await brokenPeriods(database)),
      ...(await wrongCounts(database)),
    ],
    notices: await wrongNotices(database, fleet),
    sums,
  })
}

function wrongOf(found: Readonly<Record<string, string[]>>): Readonly<Record<string, string[]>> {
  return Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0))
}

/** One line of what the story was made of. */
async function figures(database: Database, { mails }: Mailbox, writers: Writers): Promise<string> {
  const [counts] = await database.query<Readonly<Record<string, number>>>(sql`
    select (select count(*) from analyses_hot) as analyses, (select count(*) from status_changes) as periods,
      (select count(*) from notification_intents) as notices,
      (select count(*) from notification_intents where error_message is not null) as unconfirmed`)
  const all = { writes: writers.acknowledged(), unanswered: writers.unanswered(), mails: mails.length, ...counts }
  return Object.entries(all)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

async function expectIntact(
  { victim, database }: StoryParts,
  { mailbox, scene, witness }: Pick<Story, 'mailbox' | 'scene' | 'witness'>,
  { writers, asker }: { readonly writers: Writers; readonly asker: Asker },
): Promise<void> {
  process.stdout.write(`${await figures(database, mailbox, writers)}\n`)
  const errors = victim.complaints().filter(({ level }) => level >= errorLevel)
  const faults = {
    writes: await writers.audit(),
    requests: await asker.audit(database),
    records: await witness.lost(),
    errors: errors.map(({ text }) => text),
  }
  expect({ ...wrongOf(faults), ...(await faultsOf(database, scene, mailbox)) }).toEqual({})
  expect(writers.acknowledged()).toBeGreaterThan(0)
  expect(mailbox.mails.length).toBeGreaterThan(0)
}

/** The number of pino's level. */
const errorLevel = 50
