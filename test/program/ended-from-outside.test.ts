import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { descendants, runs } from '../support/descendants.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

function dataDirectory(): string {
  const directory = temporaryDirectory()
  onTestFinished(() => directory.remove())
  return join(directory.path, 'data')
}

interface Line {
  readonly level: number
  readonly msg: string
}

function linesOf({ stderr }: Launched): readonly Line[] {
  const lines = stderr().split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line)
}

/** The directory of npm is beside its own program. */
const pathWithNpm = `${dirname(process.execPath)}:${process.env['PATH']}`

test('the signal of a supervisor to `npm start` stops the program cleanly', async () => {
  const npm = spawn('npm', ['start'], {
    env: { PATH: pathWithNpm, HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDirectory(), ROLES: 'api,notifier' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const closed = once(npm, 'close')
  const { pid = 0 } = npm
  let started: readonly number[] = []
  onTestFinished(() => {
    for (const id of [pid, ...started].filter(runs)) process.kill(id, 'SIGKILL')
  })
  await expect.poll(() => said).toContain('is ready after')
  started = descendants(pid)
  expect(started).not.toEqual([])
  npm.kill('SIGTERM')
  const [code] = await closed
  expect(said).toMatch(/stopping \(SIGTERM\).*stopped after/s)
  expect(code).toBe(0)
  expect(started.filter(runs)).toEqual([])
})

test.each(['start', 'demo', 'dev', 'test', 'bench'])(
  '`npm run %s` leaves no shell above what runs long: a shell keeps signals to itself',
  (name) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    expect(scripts[name]).toMatch(/(^|&& )exec [^&|]+$/)
  },
)

test('a data directory that is taken away ends the program, with one line that says so', async () => {
  const data = dataDirectory()
  const program = launch({ DATA_DIR: data })
  onTestFinished(async () => void (await stop(program)))
  await program.ready()
  const started = descendants(program.child.pid ?? 0)
  renameSync(data, `${data}-elsewhere`)
  expect(await program.ended()).toBe(1)
  const lines = linesOf(program)
  expect(lines.filter(({ level }) => level >= 60).map(({ msg }) => msg)).toEqual([
    `The data directory ${data} was removed or moved while the program ran, and the database with it; the program ends. Put it back before the next start, which makes an empty database where there is none.`,
  ])
  expect(lines.at(-1)?.level).toBe(60)
  await expect.poll(() => started.filter(runs)).toEqual([])
  // Data that were only moved are complete.
  renameSync(`${data}-elsewhere`, data)
  const next = launch({ DATA_DIR: data })
  onTestFinished(async () => void (await stop(next)))
  await next.ready()
  expect(next.stdout()).not.toContain('The first logins were created')
})
