import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { makeScene } from '../crash/scene.ts'
import { startSurroundings } from '../crash/story.ts'
import { victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import { isLong } from './length.ts'

const hour = 3_600_000
/** Set in this order, each from the true time: forward and back again, near and far. */
const settings = isLong ? [hour, 0, -hour, 24 * hour, -24 * hour, 0] : [hour, -24 * hour]
const services = 20
/** The longest interval of the scene, its confirmation, and patience with a busy machine. Milliseconds. */
const patience = 120_000

test('the real program goes on whatever its clock is set to: every service is checked again within its interval, none fails for it', async () => {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const { mailbox, targets } = await startSurroundings(1)
  // All of them work, all the time.
  targets.freeze()
  const clockFile = join(data.path, 'clock')
  const preload = new URL('../support/program-clock.mjs', import.meta.url)
  preload.searchParams.set('file', clockFile)
  const program = victim({
    ...{ DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: mailbox.url },
    NODE_OPTIONS: `--import=${preload}`,
  })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const { fleet } = await makeScene(program, targets, services)
  const readMarks = async () => {
    const rows = await database.query<{ service_id: number; last_analysis_id: number | null; state: string }>(
      sql`select service_id, last_analysis_id, state from service_statuses where service_id = any(${fleet}::int[])`,
    )
    return new Map(rows.map((row) => [row.service_id, row]))
  }
  const allChecked = async () => [...(await readMarks()).values()].every((row) => row.last_analysis_id !== null)
  await expect.poll(allChecked, { timeout: patience }).toBe(true)
  for (const offset of settings) {
    const before = await readMarks()
    writeFileSync(clockFile, String(offset))
    const setAt = performance.now()
    /** The plans of those that are not checked anew, so that a failure says what they wait for. */
    const waiting = async () => {
      const same = [...(await readMarks())].filter(
        ([id, row]) => row.last_analysis_id === before.get(id)?.last_analysis_id,
      )
      return database.query(sql`select * from schedule where service_id = any(${same.map(([id]) => id)}::int[])`)
    }
    await expect.poll(waiting, { timeout: patience, interval: 100 }).toEqual([])
    process.stdout.write(`set by ${offset / hour} h: all checked after ${Math.round(performance.now() - setAt)} ms\n`)
    await delay(500)
  }
  const states = [...(await readMarks()).values()].map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['ok']))
  expect(mailbox.mails).toEqual([])
  const complaints = program.complaints().map(({ text }) => text)
  // A round that the step fell into may end without a verdict, which the log tells.
  const others = complaints.filter((text) => text !== 'Rounds have no verdict')
  expect(new Set(others)).toEqual(new Set(['The clock of this machine was changed; plans follow it']))
}, 600_000)
