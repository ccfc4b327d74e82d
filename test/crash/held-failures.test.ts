import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { chanceOf, storyFromEnvironment } from './chance.ts'
import { wrongMails } from './mails.ts'
import { expireDeliveries } from './scene.ts'
import { type Victim, victim } from './victim.ts'

/** The program is killed while a failed parent holds the notifications of its children, and while they are released. */

const { seed, kills } = storyFromEnvironment(0.84)
const childCount = 8
const everySecond = { timeout: 60_000, interval: 250 }

/** Pages that are down when the test says so. */
async function startPages() {
  const down = new Set<string>()
  const server = createServer((request, response) => {
    response.writeHead(down.has(request.url ?? '') ? 503 : 200).end('page')
  })
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { down, address: (page: number) => `127.0.0.1:${port}/${page}` }
}

async function made(program: Victim, path: string, body: Readonly<Record<string, unknown>>): Promise<number> {
  const reply = await program.call('POST', path, body)
  if (reply?.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply)}`)
  return (reply.body as { id: number }).id
}

interface Family {
  readonly parent: number
  readonly children: readonly number[]
}

async function makeFamily(program: Victim, address: (page: number) => string): Promise<Family> {
  await program.call('PUT', '/accounts/my_account', { storm_threshold: null })
  const group_id = await made(program, '/groups', { name: 'Family' })
  await made(program, '/notification_addresses', {
    ...{ group_id, notification_channel_id: 'email', address: 'reader@example.com' },
  })
  const service = (page: number, more: object) =>
    made(program, '/services', {
      ...{ name: `Page ${page}`, type_id: 'http', address: address(page), group_id, interval: 3 },
      ...{ notification_channel_ids: ['email'], notification_condition_ids: ['failure', 'recovery'], ...more },
    })
  const parent = await service(0, {})
  const children: number[] = []
  for (let page = 1; page <= childCount; page++) children.push(await service(page, { parent_ids: [parent] }))
  return { parent, children }
}

async function statesOf(database: Database, ids: readonly number[]): Promise<readonly unknown[]> {
  return database.query(sql`
    select service_id, state, held_by_service_id from service_statuses
    where service_id = any(${[...ids]}::int[]) order by service_id`)
}

async function toldOf(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ told: string }>(sql`
    select service_id || ' ' || notification_condition_id as told from notification_intents order by service_id, id`)
  return rows.map(({ told }) => told)
}

/** Some kills at moments that the seed chooses, each with a new start. */
async function killOften(program: Victim, count: number, chance: ReturnType<typeof chanceOf>): Promise<void> {
  for (let kill = 0; kill < count; kill++) {
    await delay(chance.between(50, 2500))
    await program.kill()
    await program.start()
  }
}

async function settled(database: Database, program: Victim, mailbox: Mailbox): Promise<void> {
  await expireDeliveries(database, program.killedAt())
  const waiting = sql`select service_id from notification_intents where status = 'pending'`
  await expect.poll(() => database.query(waiting), everySecond).toEqual([])
  expect(await wrongMails(database, mailbox.mails)).toEqual([])
}

test('a program that is killed while a parent holds its children tells one failure, then each that is left, once', async () => {
  process.stdout.write(`CRASH_SEED=${seed} CRASH_KILLS=${kills}\n`)
  const chance = chanceOf(seed)
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.stop())
  const pages = await startPages()
  const program = victim({ DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: mailbox.url })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const { parent, children } = await makeFamily(program, pages.address)
  const all = [parent, ...children]
  const wellAt = () => all.map((service_id) => ({ service_id, state: 'ok', held_by_service_id: null }))
  await expect.poll(() => statesOf(database, all), everySecond).toEqual(wellAt())

  for (let page = 0; page <= childCount; page++) pages.down.add(`/${page}`)
  await killOften(program, Math.ceil(kills / 3), chance)
  const heldBy = (id: number) => (id === parent ? null : parent)
  const heldAll = all.map((service_id) => ({ service_id, state: 'failure', held_by_service_id: heldBy(service_id) }))
  await expect.poll(() => statesOf(database, all), everySecond).toEqual(heldAll)
  await settled(database, program, mailbox)
  expect(await toldOf(database)).toEqual([`${parent} failure`])

  const [left, healed] = [children.slice(0, childCount / 2), children.slice(childCount / 2)]
  for (const id of [parent, ...healed]) pages.down.delete(`/${all.indexOf(id)}`)
  await killOften(program, Math.ceil(kills / 3), chance)
  const expected = [`${parent} failure`, `${parent} recovery`, ...left.map((id) => `${id} failure`)]
  await expect.poll(() => toldOf(database), everySecond).toEqual(expected)
  await settled(database, program, mailbox)

  pages.down.clear()
  await killOften(program, Math.floor(kills / 3), chance)
  await expect.poll(() => statesOf(database, all), everySecond).toEqual(wellAt())
  const ended = [
    `${parent} failure`,
    `${parent} recovery`,
    ...left.flatMap((id) => [`${id} failure`, `${id} recovery`]),
  ]
  await expect.poll(() => toldOf(database), everySecond).toEqual(ended)
  await settled(database, program, mailbox)
  expect(await program.stop()).toBe(0)
}, 600_000)
