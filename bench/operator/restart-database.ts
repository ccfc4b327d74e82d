/** Ends the bundled PostgreSQL behind the program's back, and waits until the program has it back. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { isDatabaseAway } from '../../src/database/failures.ts'
import type { ServedProgram } from './served-program.ts'
import type { EndingSignal } from './settings.ts'

const lookMs = 20
const patienceMs = 300_000

async function serverIdOf({ dataDirectory }: ServedProgram): Promise<number> {
  // Between two servers there is no file.
  const text = await readFile(join(dataDirectory, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || 0
}

async function answers({ database }: ServedProgram): Promise<boolean> {
  try {
    await database.query(sql`select 1`)
    return true
  } catch (error) {
    if (isDatabaseAway(error)) return false
    throw error
  }
}

/** Resolves when another server answers. */
export async function restartDatabase(program: ServedProgram, signal: EndingSignal): Promise<void> {
  const before = await serverIdOf(program)
  if (before === 0) throw new Error('the bundled PostgreSQL does not run')
  process.kill(before, signal)
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    const now = await serverIdOf(program)
    if (now !== 0 && now !== before && (await answers(program))) return
    await pause(lookMs)
  }
  throw new Error('the program does not bring its PostgreSQL back')
}
