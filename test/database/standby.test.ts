import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { judgeServers } from '../../src/cli/examine/servers.ts'
import { connect } from '../../src/database/connect.ts'
import { openSession } from '../../src/database/dump/session.ts'
import { isDatabaseAway } from '../../src/database/failures.ts'
import { askServer } from '../../src/database/server-role.ts'
import { serversOf } from '../../src/database/servers.ts'
import { patiently } from '../support/patience.ts'
import {
  caughtUp,
  type Member,
  needsReplication,
  type Replicated,
  replicationPrograms,
  startReplicated,
} from '../support/replicated.ts'

const isPossible = replicationPrograms() !== null
if (!isPossible) process.stdout.write(`test/database/standby: ${needsReplication}\n`)

function poolAt(url: string) {
  const pool = connect({ url, onError: () => undefined })
  onTestFinished(() => pool.close())
  return pool
}

const portStatement = sql`select current_setting('port') as port`
const portOf = ({ place }: Member) => place.split(':')[1]

async function portAt(url: string): Promise<string | undefined> {
  return (await poolAt(url).query<{ port: string }>(portStatement))[0]?.port
}

async function findings(pair: Replicated): Promise<string[]> {
  const { all } = serversOf(pair.urlOf([pair.first, pair.second]))
  const answers = await Promise.all(all.map(askServer))
  return judgeServers(answers).map(({ state, text }) => `${state}: ${text}`)
}

test.runIf(isPossible)(
  'connections go to the server that accepts writes, and follow it',
  { timeout: 120_000 },
  async () => {
    const pair = await startReplicated()
    const { first, second } = pair
    const url = pair.urlOf([second, first])
    const pool = poolAt(url)
    const where = async () => (await pool.query<{ port: string }>(portStatement))[0]?.port
    expect(await where()).toBe(portOf(first))
    await pool.execute(sql`create table kept (number integer)`)
    await caughtUp(first, second)
    expect(await findings(pair)).toEqual(['ok: primary, timeline 1', 'ok: standby, 0 bytes behind the primary'])
    await expect(portAt(pair.urlOf([second]))).rejects.toThrow(`${second.place} is a standby`)

    await first.kill()
    const away = await pool.query(portStatement).catch((error: unknown) => error)
    expect(isDatabaseAway(away)).toBe(true)
    expect(await findings(pair)).toEqual([expect.stringMatching(/^missing: .*it cannot take over$/), 'note: standby'])
    await expect(portAt(url)).rejects.toThrow(/no server accepts writes: .*is a standby/)

    await second.promote()
    await expect.poll(() => where().catch(() => 'away'), patiently).toBe(portOf(second))
    const heard: string[] = []
    const stop = await pool.listen('news', (payload) => heard.push(payload))
    await pool.execute(sql`select pg_notify('news', 'heard')`)
    await expect.poll(() => heard, patiently).toEqual(['heard'])
    await stop()
    const session = await openSession(url)
    expect((await session.query<{ port: string }>(portStatement))[0]?.port).toBe(portOf(second))
    await session.close()

    // The dead machine starts again, with its old primary, which is named first.
    await first.start()
    expect(await findings(pair)).toEqual([
      expect.stringMatching(/^fault: accepts writes too, on timeline 1: stop it/),
      'ok: primary, timeline 2',
    ])
    expect(await portAt(pair.urlOf([first, second]))).toBe(portOf(second))
    expect(await where()).toBe(portOf(second))

    await first.kill()
    await pair.follow(first, second)
    await caughtUp(second, first)
    expect(await findings(pair)).toEqual(['ok: standby, 0 bytes behind the primary', 'ok: primary, timeline 2'])
  },
)

test.runIf(isPossible)(
  'a connection whose server has become read-only is thrown away',
  { timeout: 120_000 },
  async () => {
    const pair = await startReplicated()
    const pool = poolAt(pair.urlOf([pair.first, pair.second]))
    await pool.execute(sql`create table kept (number integer)`)
    const write = () => pool.transaction((transaction) => transaction.execute(sql`insert into kept values (1)`))
    await caughtUp(pair.first, pair.second)
    // Moved by hand: the first stops to accept writes while its connections stay open.
    await pair.first.tell('alter system set default_transaction_read_only = on')
    await pair.first.tell('select pg_reload_conf()')
    await expect
      .poll(() => write().then(String, (error: Error & { code?: string }) => error.code), patiently)
      .toBe('25006')
    expect(pool.use().total).toBe(0)
    await pair.second.promote()
    expect(await write()).toBe(1)
  },
)
