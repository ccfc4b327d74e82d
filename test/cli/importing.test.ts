import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { wholeProgram } from '../support/own-program.ts'

/** `latarnik import KIND FILE…` as people run it. It asks no installation. */

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latarnik-import-'))
})

async function latarnik(args: readonly string[], input = '') {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [wholeProgram('cli'), 'import', ...args], {
    env: { PATH, HOME, LANG: 'C.UTF-8' },
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

const gatus = 'test/importers/fixtures/gatus/config.yaml'

test('an import writes the configuration, the secrets for one user alone, and a report in two forms', async () => {
  const [yaml, secrets, markdown, json] = ['out.yaml', 'secrets.env', 'report.md', 'report.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  const done = await latarnik(['gatus', gatus, '-o', yaml, '--secrets', secrets, '--report', markdown])
  expect(done).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('✗ endpoint “tunnel”') })
  expect(await readFile(yaml, 'utf8')).toContain(`bearer_token: \${SECRET_API_REQUEST_BEARER_TOKEN}`)
  expect(await readFile(secrets, 'utf8')).toContain("SECRET_API_REQUEST_BEARER_TOKEN='abc.def'\n")
  expect(await readFile(secrets, 'utf8')).toContain('# GATUS_SLACK_URL=\n')
  expect((await stat(secrets)).mode & 0o777).toBe(0o600)
  expect(await readFile(markdown, 'utf8')).toContain('## Not carried')
  const again = await latarnik(['gatus', gatus, '-o', join(folder, 'other.yaml'), '--report', json])
  expect(again.code).toBe(0)
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ product: 'Gatus', managed_by: 'gatus' })
})

test('a file that is there already is not overwritten', async () => {
  const path = join(folder, 'mine.yaml')
  await writeFile(path, 'mine')
  expect(await latarnik(['gatus', gatus, '-o', path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is there already'),
  })
  expect(await readFile(path, 'utf8')).toBe('mine')
})

test('standard input is a file like others; without -o the configuration goes to standard output', async () => {
  const { code, stdout } = await latarnik(
    ['gatus', '-', '--managed-by', 'old', '--minimum-interval', '5'],
    'endpoints: [{ name: a, url: "https://example.com", interval: 10s }]\n',
  )
  expect([code, stdout]).toEqual([0, expect.stringContaining('managed_by: old\n')])
  expect(stdout).toContain('interval: 10\n')
})

test.each([
  ['gatus', 'a: [1\n', /^latarnik: standard input:\d+:\d+: /],
  ['gatus', 'name: other\n', /^latarnik: standard input:1:1: This is no configuration of Gatus/],
  ['uptimerobot', '{"stat": "fail"}', /^latarnik: standard input:1:1: Nothing of UptimeRobot/],
  ['uptimerobot', '\uFFFE{]', /^latarnik: standard input:1:1: /],
])('a file that is something else is refused with its place: %s %j', async (kind, input, told) => {
  expect(await latarnik([kind, '-'], input)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(told) })
})

test('mistakes of the command line are explained', async () => {
  const { code, stderr } = await latarnik(['gatuss', gatus])
  expect(code).not.toBe(0)
  expect(stderr).toMatch(/^latarnik: There is no kind gatuss of exports\. Did you mean gatus\? Kinds: uptime-kuma, /m)
  expect(await latarnik(['gatus'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing required argument'),
  })
  expect(await latarnik(['gatus', join(folder, 'none.yaml')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no such file'),
  })
  expect(await latarnik(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('uptimerobot') })
})
