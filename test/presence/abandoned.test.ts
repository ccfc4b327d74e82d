import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AbandonedWork } from '../../src/presence/abandoned.ts'
import { ChannelListener } from '../../src/presence/channel-listener.ts'
import { virtualClock } from '../support/clock.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { silentLog } from '../support/monitoring.ts'

let own: TestDatabase
const clock = virtualClock()

beforeAll(async () => {
  own = await testDatabase()
})
afterEach(() => own.database.execute(sql`truncate messages`))
afterAll(() => own.drop())

interface LetterValues {
  readonly heldBy: string | null
  readonly handedOverAt?: number
  readonly status?: string
}

/** A letter whose next attempt is in a minute. */
async function letter({ heldBy, handedOverAt, status = 'pending' }: LetterValues): Promise<void> {
  const [now, later] = [new Date(clock.now()), new Date(clock.now() + 60_000)]
  await own.database.execute(sql`
    insert into messages (account_id, kind, address, created_at, expires_at, next_attempt_at, status, attempts, held_by, handed_over_at)
    values (1, 'activation', 'a@example.com', ${now}, ${later}, ${later}, ${status}, 1, ${heldBy},
      ${handedOverAt === undefined ? null : new Date(handedOverAt)})`)
}

/** By holder. */
function due(): Promise<{ held_by: string | null; is_due: boolean }[]> {
  return own.database.query(sql`
    select held_by, next_attempt_at <= ${new Date(clock.now())} as is_due from messages order by id`)
}

async function listenerOn({ database }: TestDatabase): Promise<ChannelListener> {
  const listener = new ChannelListener(database, 'notifications', () => {})
  await listener.listen(0)
  onTestFinished(() => listener.close())
  return listener
}

function takerOver(listener: ChannelListener): AbandonedWork {
  return new AbandonedWork({
    ...{ database: own.database, clock, timers: clock, log: silentLog, listener },
    kinds: ['messages'],
  })
}

test('is given back when its holder is gone; what is held, handed over or ended stays, and so does the pause before a new attempt', async () => {
  const listener = await listenerOn(own)
  await letter({ heldBy: 'nobody' })
  await letter({ heldBy: listener.session })
  await letter({ heldBy: 'nobody', handedOverAt: clock.now() })
  await letter({ heldBy: 'nobody', status: 'sent' })
  await letter({ heldBy: null })
  expect(await takerOver(listener).giveBack()).toBe(1)
  expect(await due()).toEqual([
    { held_by: null, is_due: true },
    { held_by: listener.session, is_due: false },
    { held_by: 'nobody', is_due: false },
    { held_by: 'nobody', is_due: false },
    { held_by: null, is_due: false },
  ])
})

test('is looked for when a session has ended, not at every look', async () => {
  const [abandoned, holder] = [takerOver(await listenerOn(own)), await listenerOn(own)]
  expect(await abandoned.giveBack()).toBe(0)
  await letter({ heldBy: holder.session })
  await letter({ heldBy: 'nobody' })
  clock.advance(1000)
  expect(await abandoned.giveBack()).toBe(0)
  await holder.close()
  const givenBack = () => {
    clock.advance(1000)
    return abandoned.giveBack()
  }
  await expect.poll(givenBack, { timeout: 20_000 }).toBe(2)
})

test('a process whose session has ended unheard gives nothing back before it has another', async () => {
  const elsewhere = await testDatabase()
  onTestFinished(elsewhere.drop)
  // Listening in another database, it is not among the sessions of this one.
  const listener = await listenerOn(elsewhere)
  await letter({ heldBy: 'nobody' })
  expect(await takerOver(listener).giveBack()).toBe(0)
  expect(listener.session).toBeNull()
  await listener.listen(0)
  expect(listener.session).not.toBeNull()
  expect((await due())[0]?.is_due).toBe(false)
})
