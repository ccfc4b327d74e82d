// The npm package as a stranger gets it: packed, installed into an empty folder, started by npx.
import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { descendants, runs } from '../support/descendants.ts'

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

const megabyte = 2 ** 20
/** The directory of npm is beside its own program. */
const path = `${dirname(process.execPath)}:${process.env['PATH']}`
const noRegistry = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/

let folder = ''
let packed: Packed

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latarnik-package-'))
  const flags = ['--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await promisify(execFile)('npm', ['pack', ...flags], { env: npmEnvironment(), maxBuffer: 2 ** 24 })
  packed = onlyOne(JSON.parse(stdout) as readonly Packed[])
  return () => rmSync(folder, { recursive: true, force: true })
})

function onlyOne(all: readonly Packed[] | Readonly<Record<string, Packed>>): Packed {
  const [one, ...others] = Object.values(all)
  if (one === undefined || others.length > 0) throw new Error('npm packed not exactly one package')
  return one
}

/** Without the settings of the npm that runs these tests. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command|execpath|node)/.test(name),
  )
  return { ...Object.fromEntries(own), PATH: path }
}

test('it holds the program, its documents and its licences, and nothing of the work on it', () => {
  const paths = packed.files.map((file) => file.path)
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'dist/cli.js', 'dist/console/licences.txt'],
      ...['docs/operations.md', 'docs/licences.md', 'deploy/systemd/latarnik.service'],
    ]),
  )
  const known = /^(dist|docs|deploy)\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/
  expect(paths.filter((one) => !known.test(one))).toEqual([])
  expect(
    paths
      .filter((one) => !one.includes('docs/examples/'))
      .filter((one) => /\.test\.|(?<!\.d)\.ts$|\.(tsx|pem|key|env|eml|log|tgz)$|(^|\/)(test|data)\//.test(one)),
  ).toEqual([])
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: { latarnik: string } }
  expect(paths).toContain(bin.latarnik)
  expect(packed.size).toBeLessThan(8 * megabyte)
})

test('its files name no path of the machine that built it', () => {
  const read = packed.files.filter((file) => /\.(js|map|json|md|css)$/.test(file.path))
  expect(read.length).toBeGreaterThan(100)
  const naming = read.filter((file) => readFileSync(file.path, 'utf8').includes(`${process.cwd()}/`))
  expect(naming.map((file) => file.path)).toEqual([])
})

/** All that a program says, of both kinds. */
function heard({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): () => string {
  const said: string[] = []
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (text: string) => void said.push(text))
  return () => said.join('')
}

/** Installs the tarball as strangers do. Returns a reason if no registry has its packages. */
async function install(place: string): Promise<string | null> {
  writeFileSync(join(place, 'package.json'), '{}\n')
  // No script of a package has to run: newer versions of npm ask before they run any.
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const npm = spawn('npm', ['install', ...flags, join(folder, packed.filename)], {
    cwd: place,
    env: npmEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = heard(npm)
  const [code] = await once(npm, 'close')
  if (code === 0) return null
  const reason = noRegistry.exec(said())?.[1]
  if (reason === undefined) throw new Error(`npm install ended with ${code}: ${said()}`)
  return `npm reaches no registry here (${reason})`
}

function startByNpx(place: string): { readonly npx: ChildProcess; said(): string } {
  const npx = spawn('npx', ['--no-install', 'latarnik', 'start'], {
    cwd: place,
    env: { PATH: path, HOME: process.env['HOME'], PORT: '0', LOCAL_SENSORS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { npx, said: heard(npx) }
}

test('installed into an empty folder it starts by npx with a database of its own, and ends with npx', async (context) => {
  const place = mkdtempSync(join(folder, 'empty-'))
  const reason = await install(place)
  if (reason !== null) return context.skip(reason)
  const { npx, said } = startByNpx(place)
  let started: readonly number[] = []
  onTestFinished(() => {
    for (const id of [npx.pid ?? 0, ...started].filter(runs)) process.kill(id, 'SIGKILL')
  })
  await expect.poll(said).toContain('is ready after')
  started = descendants(npx.pid ?? 0)
  const address = /^ {2}Console +(http\S+)\/$/m.exec(said())?.[1]
  expect(await (await fetch(`${address}/v3/sensors`)).json()).toHaveLength(1)
  expect(await (await fetch(`${address}/console/licences.txt`)).text()).toContain('react')
  expect(said()).toContain(join(place, 'data'))
  npx.kill('SIGTERM')
  await expect.poll(said).toMatch(/stopping \((SIGTERM|the end of npx)\).*stopped after/s)
  await expect.poll(() => started.filter(runs)).toEqual([])
  return undefined
})
