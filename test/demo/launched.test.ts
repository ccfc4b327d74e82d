import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { descendants, runs } from '../support/descendants.ts'
import { wholeProgram } from '../support/own-program.ts'

/** As somebody runs it who has heard of it a minute ago. */
const parent = temporaryDirectory()
const directory = join(parent.path, 'demo')
const wait = { timeout: 240_000, interval: 100 }
let demo: Launched | undefined

afterAll(async () => {
  if (demo !== undefined) await stop(demo)
  parent.remove()
})

function readNoteOf(path: string): unknown {
  return JSON.parse(readFileSync(join(path, 'demo.json'), 'utf8'))
}

test('latarnik demo says where to look, has what it says, and Ctrl-C leaves nothing running', async () => {
  const running = launch({ DATA_DIR: parent.path }, ['demo', '--days', '1'], wholeProgram('cli'))
  demo = running
  await vi.waitFor(() => expect(running.stdout() + running.stderr()).toContain('Ctrl-C ends it'), wait)
  expect(running.stdout()).toContain('A month of history is made first')
  expect(readNoteOf(directory)).toMatchObject({ madeAt: expect.any(Number) })
  const [, api = ''] = /^ {2}Documentation +(\S+)\/public\/doc\/$/m.exec(running.stdout()) ?? []
  const [, username = '', password = ''] = /^ {2}Account +(\S+) +(\S+)$/m.exec(running.stdout()) ?? []
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const read = async (path: string) => {
    const response = await fetch(`${api}${path}`, { headers: { authorization } })
    expect([path, response.status]).toEqual([path, 200])
    return { total: Number(response.headers.get('x-total-count')), text: await response.text() }
  }
  expect((await read('/accounts/my_account?fields=username')).text).toBe('{"username":"demo"}')
  expect((await read('/services?embed=status,group')).total).toBeGreaterThan(10)
  expect((await read('/services/1/history/analyses?from=-86400')).total).toBeGreaterThan(1000)
  for (const [, path = ''] of running.stdout().matchAll(/"\$A(\/services\S*)"$/gm)) await read(path)

  const started = descendants(running.child.pid ?? 0)
  running.child.kill('SIGINT')
  expect(await running.ended()).toBe(0)
  await vi.waitFor(() => expect(started.filter(runs)).toEqual([]), wait)
  await expect(fetch(api)).rejects.toThrow()
}, 300_000)
