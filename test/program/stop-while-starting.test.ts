import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockSchema } from '../../src/database/migrate.ts'
import { emptyDatabase } from '../support/database.ts'
import { descendants, runs } from '../support/descendants.ts'
import { withoutMissingEquipment } from '../support/missing-equipment.ts'
import { wholeProgram } from '../support/own-program.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

// A start faster than the test would show nothing: here one of its steps hangs, and only the order to stop ends it.

const launched: Launched[] = []
let directory: ReturnType<typeof temporaryDirectory>

beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(async () => {
  await Promise.all(launched.splice(0).map(stop))
  directory.remove()
})

function start(...args: Parameters<typeof launch>): Launched {
  const program = launch(...args)
  launched.push(program)
  return program
}

/** As Ctrl-C in a terminal reaches all that the program has not moved out of its group. */
const asInATerminal = ['/usr/bin/setsid']
const [setpriv = ''] = ['/usr/bin/setpriv']
const canStandStill = [setpriv, ...asInATerminal, '/proc/self/stat'].every((path) => existsSync(path))

const cannotStandStill = 'there is no setpriv, setsid or /proc on this machine'

/** A folder for PATH in which the program that makes databases never comes to its end. */
function pathWithEndlessInitdb(): string {
  const folder = join(directory.path, 'programs')
  mkdirSync(folder)
  const script = join(folder, 'setpriv')
  writeFileSync(script, `#!/bin/sh\ncase "$*" in *bin/initdb*) sleep 1000 ;; *) exec ${setpriv} "$@" ;; esac\n`)
  for (const path of [directory.path, folder, script]) chmodSync(path, 0o755)
  return `${folder}:${process.env['PATH']}`
}

function interrupt({ child }: Launched): void {
  process.kill(-(child.pid ?? 0), 'SIGINT')
}

async function leavesNothing(program: Launched, started: readonly number[]): Promise<void> {
  expect(await program.ended()).toBe(0)
  expect(started).not.toEqual([])
  await expect.poll(() => started.filter(runs)).toEqual([])
}

test('Ctrl-C while the database is made leaves nothing, and the next start makes it', async (context) => {
  if (!canStandStill) context.skip(cannotStandStill)
  const data = join(directory.path, 'data')
  const first = start({ DATA_DIR: data, PATH: pathWithEndlessInitdb() }, [], wholeProgram('main'), asInATerminal)
  await expect.poll(first.stderr).toContain('Creating a new database')
  await expect.poll(() => descendants(first.child.pid ?? 0)).toHaveLength(2)
  const started = descendants(first.child.pid ?? 0)
  interrupt(first)
  await leavesNothing(first, started)
  expect(first.stderr()).toContain('Latarnik 0.1.0 starts.')
  expect(first.stderr()).not.toContain('could not')
  expect(readdirSync(join(data, 'postgres')).filter((name) => name.startsWith('data'))).toEqual([])
  const next = start({ DATA_DIR: data, ROLES: 'notifier' })
  await expect.poll(next.stdout).toContain('is ready after')
  expect(await stop(next)).toBe(0)
})

test('the demo says what it does while it is made, and Ctrl-C leaves nothing of it running', async (context) => {
  if (!canStandStill) context.skip(cannotStandStill)
  const path = pathWithEndlessInitdb()
  const demo = start({ DATA_DIR: directory.path, PATH: path }, ['demo'], wholeProgram('cli'), asInATerminal)
  await expect.poll(demo.stdout).toContain('0% of 30 days · starting the database and the stations')
  const started = descendants(demo.child.pid ?? 0)
  interrupt(demo)
  await leavesNothing(demo, started)
  expect(demo.stdout().split('\n').slice(-3)).toEqual([
    'Stopping.',
    'Stopped before the demo was ready. The next run continues, or makes an unfinished month again.',
    '',
  ])
  expect(withoutMissingEquipment(demo.stderr())).toBe('')
})

test('an order to stop while another program changes the schema is not kept waiting for that', async () => {
  const { database, url, drop } = await emptyDatabase()
  let ended: number | string | undefined
  await database.transaction(async (transaction) => {
    await lockSchema(transaction)
    const program = start({ DATABASE_URL: url, DATA_DIR: directory.path })
    await expect.poll(program.stderr).toContain('Checking whether the database schema is up to date')
    program.child.kill('SIGTERM')
    ended = await program.ended()
    expect(program.stderr()).toMatch(/stopping \(SIGTERM\).*\n.*stopped after/)
  })
  expect(ended).toBe(0)
  await drop()
})
