import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startTargets } from '../crash/targets.ts'
import { type Victim, victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { startMailbox } from '../support/mailbox.ts'
import { wholeProgram } from '../support/own-program.ts'
import { smallDisk, smallDiskMissing } from '../support/small-disk.ts'
import { isLong } from './length.ts'

const megabytes = 150
const services = 6
/** Milliseconds. */
const fullFor = isLong ? 60_000 : 6000
const patience = 60_000

interface Tried {
  readonly made: number[]
  readonly refusals: ReadonlySet<string>
}

/** Makes groups as long as the disk is full. */
async function tryToWrite(program: Victim): Promise<Tried> {
  const made: number[] = []
  const refusals = new Set<string>()
  const until = Date.now() + fullFor
  for (let number = 0; Date.now() < until; number += 1) {
    const reply = await program.call('POST', '/groups', { name: `Full ${'x'.repeat(150)}${number}` })
    if (reply?.status === 201) made.push((reply.body as { readonly id: number }).id)
    else refusals.add(`${reply?.status} ${(reply?.body as { readonly error: string }[] | undefined)?.[0]?.error}`)
    expect((await program.call('GET', '/groups?limit=1'))?.status).toBe(200)
    await delay(20)
  }
  return { made, refusals }
}

async function readiness(program: Victim): Promise<unknown> {
  const response = await fetch(new URL('/readyz', program.api() ?? ''))
  return { code: response.status, body: await response.json() }
}

/**
 * Removes the files that each new connection reads its catalogue from, as PostgreSQL does after a change of statistics.
 * The next connection writes them anew, and is refused if there is no room. Returns how many there were.
 */
function removeCatalogueFiles(directory: string): number {
  const files = readdirSync(join(directory, 'postgres/data'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('pg_internal.init'))
    .map((path) => join(directory, 'postgres/data', path))
  for (const file of files) rmSync(file)
  return files.length
}

/** The output of `latarnik doctor` beside the program. */
function examine(processId: number, dataDirectory: string): Promise<string> {
  const args = ['--mount', '--target', String(processId), process.execPath, wholeProgram('cli'), 'doctor']
  return new Promise((resolve) => {
    execFile('nsenter', args, { env: { ...process.env, DATA_DIR: dataDirectory } }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

test('a full disk is told in the log, by the API and by its health; nothing acknowledged is lost, and all goes on when there is room', async (context) => {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const missing = await smallDiskMissing(data.path)
  if (missing !== null) context.skip(missing)
  const disk = smallDisk(data.path, megabytes)
  const targets = await startTargets(1)
  onTestFinished(() => targets.close())
  targets.freeze()
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.stop())
  // Database and evidence lie on the same disk, as they do on most machines.
  const program = victim(
    { DATA_DIR: data.path, SMTP_URL: mailbox.url, ADMIN_EMAIL: 'operator@example.com' },
    disk.through,
  )
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const processId = program.processId()
  const made = async (path: string, body: Readonly<Record<string, unknown>>) => {
    const reply = await program.call('POST', path, body)
    if (reply?.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply)}`)
    return (reply.body as { readonly id: number }).id
  }
  const group = await made('/groups', { name: 'Watched' })
  await made('/notification_addresses', { group_id: group, notification_channel_id: 'email', address: 'a@example.com' })
  for (let page = 0; page < services; page += 1) {
    // Every second one answers 503 for ever: its page is evidence, its failure a mail.
    const accepted = page % 2 === 0 ? '200' : '404'
    await made('/services', {
      ...{ name: `Page ${page}`, type_id: 'http', address: targets.address(page), group_id: group, interval: 2 },
      ...{ notification_channel_ids: ['email'], extended_settings: { accepted_statuses: accepted } },
    })
  }
  const mailsTo = (address: string) =>
    mailbox.mails.filter(({ to }) => to.includes(address)).map(({ parsed }) => parsed.subject)
  const mails = () => mailsTo('a@example.com')
  await expect.poll(() => mails().length, { timeout: patience }).toBe(services / 2)

  disk.fill(processId)
  const { made: acknowledged, refusals } = await tryToWrite(program)
  expect(refusals).toEqual(new Set(['503 service_unavailable']))
  expect(await readiness(program)).toEqual({ code: 200, body: { status: 'degraded', reasons: ['disk'] } })

  // More at once than there are connections, when the server takes no more of them.
  expect(removeCatalogueFiles(disk.seenBy(processId))).toBeGreaterThan(1)
  disk.fill(processId)
  const reads = await Promise.all(Array.from({ length: 40 }, () => program.call('GET', '/groups?limit=1')))
  expect(new Set(reads.map((reply) => reply?.status))).toEqual(new Set([200]))
  expect(await examine(processId, data.path)).toContain('The disk of the database is full')

  // The operator hears of it although no mail can be stored.
  const full = 'The disk of the database is FULL'
  await expect.poll(() => mailsTo('operator@example.com'), { timeout: patience }).toEqual([full])

  disk.makeRoom(processId)
  const again = async () => (await program.call('POST', '/groups', { name: 'Again' }))?.status
  await expect.poll(again, { timeout: patience, interval: 100 }).toBe(201)
  await expect
    .poll(() => readiness(program), { timeout: patience, interval: 200 })
    .toEqual({ code: 200, body: { status: 'ok' } })
  await expect
    .poll(() => mailsTo('operator@example.com'), { timeout: patience })
    .toEqual([full, 'The disk of the database has room again'])
  for (const id of acknowledged) expect((await program.call('GET', `/groups/${id}`))?.status).toBe(200)
  const failing = (await program.call('GET', '/services?status.summary=failure'))?.body as readonly unknown[]
  expect(failing).toHaveLength(services / 2)
  // No failure ended or began for it.
  expect(mails()).toHaveLength(services / 2)
  const texts = program.complaints().map(({ text }) => text.replace(/: .*/, ''))
  expect(texts).toContain('The disk of the database is full; monitoring waits for room (Recording)')
  expect(texts.filter((text) => !/^The disk of|^Evidence cannot be kept/.test(text))).toEqual([])
}, 180_000)
