// A real browser whose CPU others take. It takes long and needs a machine of its own: STARVED_BROWSER=long npx vitest
// run <this file>
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { familyOf } from '../../src/child-process/descendants.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { createTestBrowser, describeWithBrowser } from '../support/browser.ts'
import { clock, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const isWanted = process.env['STARVED_BROWSER'] === 'long'
const timeout = 8000
const burners: ChildProcess[] = []

function burn(): void {
  // They end by themselves, whatever becomes of the test.
  const program = 'const end = Date.now() + 60000; while (Date.now() < end);'
  for (let count = 0; count < 4; count += 1)
    burners.push(spawn('taskset', ['-c', '0', process.execPath, '-e', program], { stdio: 'ignore' }))
}

/** All threads of the browser get what is left of one CPU, which others take. */
function starve(browserId: number): void {
  for (const id of familyOf(browserId)) {
    execFileSync('taskset', ['-a', '-c', '-p', '0', String(id)], { stdio: 'ignore' })
    for (const thread of readdirSync(`/proc/${id}/task`)) setPriority(Number(thread), 19)
  }
  try {
    // Some kernels share CPUs out among sessions first, and the browser has one of its own.
    writeFileSync(`/proc/${browserId}/autogroup`, '19')
  } catch {
    // This one does not.
  }
  burn()
}

describeWithBrowser('a browser that gets no CPU', () => {
  const servers = createNastyServers()
  let browserId = 0
  const browser = createTestBrowser({
    onProcess: (id, isRunning) => {
      if (isRunning) browserId = id
    },
  })
  const bench = { equipment: createEquipment({ allow: 'all', browser }), watch: neverBlind, clock }
  const check = (port: number) => {
    const job = jobFor('fullpage', `127.0.0.1:${port}/`, { timeout })
    // Too little for a second try.
    return runCheck({ ...job, deadlineAt: job.startAt + timeout + 7000 }, bench)
  }

  afterEach(async () => {
    for (const burner of burners.splice(0)) burner.kill('SIGKILL')
    servers.closeAll()
    await browser.stop()
  })

  test('says nothing of a page that would be up, and calls down one that hangs in a browser that sees', async (context) => {
    if (!isWanted) context.skip('takes all CPUs for a minute: set STARVED_BROWSER=long')
    const good = await servers.good((_request, response) => response.end('<!doctype html><p>hello'))
    expect(verdictOf(await check(good))).toBe('ok')
    const hanging = await servers.good((request, response) => {
      if (request.url === '/') response.end('<!doctype html><img src="never">')
    })
    expect(verdictOf(await check(hanging))).toBe('page_timeout')
    const busyWithItself = await servers.good((request, response) => {
      if (request.url === '/') response.end(selfish)
    })
    expect(verdictOf(await check(busyWithItself)), 'it takes all CPUs itself').toBe('page_timeout')
    const unlucky = await servers.good(async (_request, response) => {
      starve(browserId)
      await pause(1000)
      response.end('<!doctype html><p>hello')
    })
    const result = await check(unlucky)
    expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_held'])
    expect(result.errorMessage).toMatch(/; this station waited \d{4} ms for a CPU meanwhile$/)
  }, 120_000)
})

const selfish = `<!doctype html><script>
const work = URL.createObjectURL(new Blob(['for (;;);']))
for (let count = 0; count < 8; count += 1) new Worker(work)
</script><img src="never">`
