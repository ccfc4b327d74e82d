import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blocksIn, blocksOf, type GuidePage, guidePages } from '../support/guide.ts'
import { installHere, openTerminal, type Terminal, type Typed } from '../support/guide-shell.ts'
import { wholeProgram } from '../support/own-program.ts'
import { patiently } from '../support/patience.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from './launch.ts'

/** The reader runs these in a checkout: this test's own program was made and started so. */
const start = 'npm ci\nnpm start\n'

/** Commands that say something by another exit code than 0; the guide tells which. */
const tellers: readonly { readonly page: GuidePage; readonly command: RegExp; readonly status: number }[] = [
  { page: 'as-code', command: /^npx latarnik plan latarnik\.yaml$/, status: 2 },
]

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a block that is neither commands nor a named file is refused', () => {
  expect(blocksOf('```sh\na\n```\n')).toEqual([{ commands: 'a\n' }])
  for (const fence of ['', 'text', 'yaml']) expect(() => blocksOf(`\`\`\`${fence}\na: 1\n\`\`\`\n`)).toThrow(/block/)
})

test('the guide has these pages and no others', () => {
  for (const folder of ['docs/guide', 'docs/pl/guide'])
    expect(readdirSync(folder).toSorted()).toEqual(guidePages.map((page) => `${page}.md`).toSorted())
})

describe.each(['docs/guide', 'docs/pl/guide'])('what %s tells the reader to type works', (folder) => {
  const directory = temporaryDirectory()
  const terminals: Terminal[] = []
  const done = new Map<GuidePage, Typed>()
  let program: Launched
  let server = ''
  let password = ''
  let target = 0

  beforeAll(async () => {
    installHere(directory.path, wholeProgram('cli'))
    program = launch({ DATA_DIR: join(directory.path, 'data') }, ['start'], wholeProgram('cli'))
    server = await program.ready()
    password = generatedPassword(program.stdout(), 'account')
    target = await freePort()
  })
  afterAll(async () => {
    for (const terminal of terminals) await terminal.close()
    if (program !== undefined) await stop(program)
    directory.remove()
  })

  async function answer(path: string): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
    return (await fetch(`${server}/v3${path}`, { headers: { authorization } })).json()
  }

  /** The reader replaces the words in capitals; this test replaces the ports, too. */
  async function filledIn(text: string): Promise<string> {
    const plain = text
      .replaceAll('http://127.0.0.1:8080', server)
      .replaceAll('PASSWORD=PASSWORD', `PASSWORD=${password}`)
      .replaceAll('user:PASSWORD', `user:${password}`)
      .replaceAll(/(127\.0\.0\.1:|listen\()8000\b/g, `$1${target}`)
    if (!/PING_(ADDRESS|ID)/.test(plain)) return plain
    const [beat] = (await answer('/services?type_id=heartbeat')) as [{ ping_url: string }]
    return plain.replaceAll('PING_ADDRESS', beat.ping_url).replaceAll('PING_ID', beat.ping_url.replace(/.*\//, ''))
  }

  async function follow(page: GuidePage): Promise<string> {
    const terminal = openTerminal(directory.path)
    terminals.push(terminal)
    const printed: string[] = []
    for (const block of blocksIn(folder, page)) {
      if ('file' in block) writeFileSync(join(directory.path, block.file), await filledIn(block.text))
      else if (block.commands !== start) printed.push(await terminal.type(await filledIn(block.commands)))
    }
    done.set(page, terminal.typed())
    return printed.join('\n')
  }

  /** Answers of the API are one line each; an error is a list with `error`. */
  function expectGood(page: GuidePage, printed: string): void {
    const unexpected = (done.get(page)?.failed ?? []).filter(
      ({ command, status }) =>
        !tellers.some((teller) => teller.page === page && teller.status === status && teller.command.test(command)),
    )
    const complaints = unexpected.length === 0 ? '' : done.get(page)?.complaints
    expect({ unexpected, complaints, errors: printed.split('\n').filter((line) => line.includes('"error":')) }).toEqual(
      {
        unexpected: [],
        complaints: '',
        errors: [],
      },
    )
  }

  test.each(guidePages)('%s', async (page) => {
    const printed = await follow(page)
    expectGood(page, printed)
    expect(done.get(page)?.commands.length, 'commands that were run').toBeGreaterThan(0)
  })

  test('the reader has what the pages promise', async () => {
    await vi.waitFor(async () => {
      const checks = await answer('/services/1/history/analyses/last_analysis/checks')
      expect(checks).toMatchObject([1, 2, 3].map((sensor_id) => ({ sensor_id, result: 'ok' })))
    }, patiently)
    expect(readdirSync(join(directory.path, 'data/outbox')).some((name) => name.includes('-test-'))).toBe(true)
    const pings = (await answer('/services/2/pings')) as { kind: string }[]
    expect(pings.map(({ kind }) => kind)).toEqual(['success', 'success', 'start', 'success'])
    expect(await answer('/status_page_incidents')).toMatchObject([{ is_published: true }])
    expect(((await answer('/services?fields=managed_state')) as unknown[]).length).toBe(3)
    expect(done.get('as-code')?.failed).toHaveLength(1)
  })

  test('every command was run', () => {
    const counts = guidePages.map((page) => `${page} ${done.get(page)?.commands.length ?? 0}`)
    process.stdout.write(`${folder}: ${counts.join(', ')} commands were run\n`)
    expect([...done.keys()]).toEqual([...guidePages])
  })
})
