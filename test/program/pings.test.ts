import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from './launch.ts'

/** A ping that was answered 200 is there after `kill -9`, and the time without a program is nobody's silence. */

const data = temporaryDirectory()
const variables = { DATA_DIR: data.path, ROLES: 'api,monitoring,sensor' }
const programs: Launched[] = []

afterAll(async () => {
  for (const program of programs) await stop(program)
  data.remove()
})

async function start(): Promise<{ readonly program: Launched; readonly api: string }> {
  const program = launch(variables)
  programs.push(program)
  return { program, api: await program.ready() }
}

/** Pings of its own name each; those that were answered 200 before the program died. */
async function burst(url: string, die: () => void): Promise<readonly string[]> {
  const acknowledged: string[] = []
  const pings = Array.from({ length: 90 }, async (_, place) => {
    const name = randomUUID()
    await new Promise((resolve) => setTimeout(resolve, place))
    // A connection that breaks is an answer too: it acknowledges nothing.
    const answer = await fetch(`${url}/log`, { headers: { 'user-agent': name } }).catch(() => null)
    if (answer?.status !== 200) return
    acknowledged.push(name)
    if (acknowledged.length === 40) die()
  })
  await Promise.all(pings)
  return acknowledged
}

test('no acknowledged ping is lost by kill -9', { timeout: 240_000 }, async () => {
  const first = await start()
  const password = generatedPassword(first.program.stdout(), 'account')
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
  const call = async (api: string, path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await fetch(`${api}/v3${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const extended_settings = { period: 10, grace: 0 }
  const { id } = (await call(first.api, '/services', { type_id: 'heartbeat', name: 'Queue', extended_settings })) as {
    id: number
  }
  const { ping_url: url } = (await call(first.api, `/services/${id}?fields=ping_url`)) as { ping_url: string }
  expect((await fetch(url)).status).toBe(200)
  await expect
    .poll(() => call(first.api, `/services/${id}/history/analyses?fields=failure`))
    .toEqual([{ failure: false }])
  const acknowledged = await burst(url, () => first.program.child.kill('SIGKILL'))
  expect(acknowledged.length).toBeGreaterThanOrEqual(40)
  await first.program.ended()
  // Longer than the period: the deadline passes while nobody listens.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const startedAgain = Date.now()
  const second = await start()
  const pings = (await call(second.api, `/services/${id}/pings?limit=200`)) as { user_agent: string }[]
  const stored = pings.map(({ user_agent }) => user_agent)
  expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([])
  const changes = async () =>
    (await call(second.api, `/services/${id}/history/status_changes?fields=status,start_time`)) as {
      readonly status: string
      readonly start_time: string
    }[]
  // From now on it is heard, and is silent.
  await expect.poll(async () => (await changes()).map(({ status }) => status)).toEqual(['ok', 'failure'])
  const [, failure] = await changes()
  expect(Date.parse(failure?.start_time ?? '')).toBeGreaterThanOrEqual(startedAgain)
})
