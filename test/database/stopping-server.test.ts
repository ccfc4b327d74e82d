import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { familyOf } from '../../src/child-process/descendants.ts'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import {
  killLaunched,
  launch,
  serverPid,
  serverStops,
  type TemporaryDirectory,
  temporaryDirectory,
} from '../support/launcher.ts'
import { silentLog } from '../support/log.ts'
import { patiently } from '../support/patience.ts'

// Each test starts programs and servers.
vi.setConfig({ testTimeout: 120_000 })

let folder: TemporaryDirectory
beforeAll(async () => {
  folder = await temporaryDirectory()
})
afterEach(killLaunched)
afterAll(() => folder.remove())

function titleOf(processId: number): string {
  return readFileSync(`/proc/${processId}/cmdline`, 'utf8')
}

/** The process that writes everything down before the server ends. */
function checkpointerOf(server: number): number {
  const found = familyOf(server).find((id) => titleOf(id).startsWith('postgres: checkpointer'))
  if (found === undefined) throw new Error(`server ${server} has no checkpointer`)
  return found
}

/** Continues a process that a failed test stopped. */
function goOn(processId: number): void {
  try {
    process.kill(processId, 'SIGCONT')
  } catch {
    // It has ended, as it should.
  }
}

async function writeNote(url: string): Promise<void> {
  const database = connect({ url, maximumConnections: 1 })
  await database.execute(sql`create table notes (text text)`)
  await database.execute(sql`insert into notes values ('kept')`)
  await database.close()
}

test.for([
  { joinRunning: true, isToldLate: false },
  { joinRunning: false, isToldLate: false },
  { joinRunning: true, isToldLate: true },
])('the server of a killed program is waited for while it stops: %j', async ({ joinRunning, isToldLate }, { skip }) => {
  if (process.platform !== 'linux') skip('processes are found below /proc')
  const dataDirectory = join(folder.path, `data-${joinRunning}-${isToldLate}`)
  const program = await launch({ dataDirectory })
  await writeNote(program.url)
  const pid = serverPid(dataDirectory)
  const checkpointer = checkpointerOf(pid)
  process.kill(checkpointer, 'SIGSTOP')
  try {
    await program.kill()
    // As the system does where it can tell a server that its program died.
    if (isToldLate) process.kill(pid, 'SIGSTOP')
    else process.kill(pid, 'SIGINT')
    const lines: string[] = []
    const log = { ...silentLog, info: (text: string) => lines.push(text) }
    const opening = openDatabase({ databaseUrl: undefined, dataDirectory, log, joinRunning, asItIs: true })
    const settled = opening.catch((error: unknown) => error)
    if (isToldLate) {
      // The first look has found it at work, and it does not answer.
      await delay(500)
      process.kill(pid, 'SIGINT')
      process.kill(pid, 'SIGCONT')
    }
    const isHeard = () => expect(lines.join()).toContain(`server ${pid} of an earlier start is still stopping`)
    await Promise.race([settled, vi.waitFor(isHeard, patiently)])
    process.kill(checkpointer, 'SIGCONT')
    expect(await settled).toMatchObject({ embedded: true })
    const opened = await opening
    expect(serverPid(dataDirectory)).not.toBe(pid)
    expect(await opened.database.query(sql`select text from notes`)).toEqual([{ text: 'kept' }])
    await opened.close()
    await serverStops(dataDirectory)
  } finally {
    goOn(pid)
    goOn(checkpointer)
  }
})
