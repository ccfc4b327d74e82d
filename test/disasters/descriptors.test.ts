import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { startTargets } from '../crash/targets.ts'
import { type Victim, victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import { startMailbox } from '../support/mailbox.ts'
import { familyOf, probingOf } from './processes.ts'

const services = 6
/** The limit of each process of the program. */
const descriptors = 256
const patience = { timeout: 40_000, interval: 100 }

/** `prlimit` and what it changes are Linux'. */
function hasLimits(): boolean {
  try {
    execFileSync('prlimit', ['--version'])
    return readFileSync('/proc/self/limits').length > 0
  } catch {
    return false
  }
}

function limit(processId: number, most: number): void {
  execFileSync('prlimit', ['--pid', String(processId), `--nofile=${most}:`])
}

async function healthOf(program: Victim): Promise<unknown> {
  const answer = await fetch(new URL('/readyz', program.api() ?? ''), { signal: AbortSignal.timeout(10_000) })
  return answer.json()
}

/** Opens many connections and sends nothing. Refused ones count too. */
async function crowd(program: Victim, people: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(program.api() ?? '')
  const sockets = Array.from({ length: people }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

test('who calls too often takes no descriptor from the work, and a station that has none left calls nobody down, says so, and goes on', {
  timeout: 180_000,
}, async (context) => {
  if (!hasLimits()) context.skip('there is no prlimit on this machine')
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.stop())
  const targets = await startTargets(1)
  onTestFinished(() => targets.close())
  targets.freeze()
  const variables = { DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: mailbox.url }
  const program = victim(variables, ['prlimit', `--nofile=${descriptors}:${descriptors}`])
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const address = { notification_channel_id: 'email', address: 'reader@example.com' }
  expect((await program.call('POST', '/notification_addresses', address))?.status).toBe(201)
  for (let page = 0; page < services; page += 1) {
    const service = { name: `Page ${page}`, type_id: 'http', address: targets.address(page), interval: 1 }
    expect((await program.call('POST', '/services', service))?.status).toBe(201)
  }
  /** Services whose last round, begun after the moment, has this verdict. */
  const judged = async (verdict: string, since: number) =>
    (
      await database.query(sql`
          select distinct service_id from analyses_hot where verdict = ${verdict} and analysis_id / 100 > ${since}::float8`)
    ).length
  await expect.poll(() => judged('ok', 0), patience).toBe(services)

  const people = await crowd(program, descriptors)
  const crowded = Date.now()
  await expect.poll(() => judged('ok', crowded), patience).toBe(services)
  expect(program.complaints()).toEqual([])
  expect(readdirSync(`/proc/${program.processId()}/fd`).length).toBeLessThan(descriptors * 0.8)
  for (const socket of people) socket.destroy()
  await expect.poll(() => healthOf(program).catch(String), patience).toEqual({ status: 'ok' })

  const probing = probingOf(familyOf(program.processId()))
  for (const id of probing) limit(id, 3)
  const short = Date.now()
  await expect.poll(() => judged('none', short), patience).toBe(services)
  await expect.poll(() => healthOf(program), patience).toEqual({ status: 'degraded', reasons: ['sockets'] })
  for (const id of probing) limit(id, descriptors)
  const free = Date.now()
  await expect.poll(() => judged('ok', free), patience).toBe(services)
  expect(probingOf(familyOf(program.processId()))).toEqual(probing)
  expect(await judged('failure', 0)).toBe(0)
  expect(mailbox.mails).toEqual([])
  expect([...new Set(program.complaints().map(({ text }) => text))].toSorted()).toEqual([
    'No socket is left for checks (descriptors, ports, memory): their results are unknown.',
    'Rounds have no verdict',
  ])
})
