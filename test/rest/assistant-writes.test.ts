import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Assistant, assistantWith, type CalledTool, keyOf } from '../support/assistant.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let key: string
let alice: Assistant
beforeAll(async () => {
  world = await furnishedWorld()
  key = await keyOf(world, 'alice')
  alice = await assistantWith(world, key)
})
afterAll(() => world.drop())

type Values = Readonly<Record<string, unknown>>

const wanted = () => ({
  service_id: world.serviceIds.shared,
  end_time: new Date(world.clock.now() + 3_600_000).toISOString(),
  description: 'New disks',
})
const tokenOf = ({ result }: CalledTool) => String(result['confirmation_token'])

async function suspensions(): Promise<readonly Values[]> {
  const { body } = await world.call('alice', 'GET', '/suspensions?limit=100')
  return body as readonly Values[]
}

const countOf = async () => (await suspensions()).length

test('a write first tells exactly what it would do, and changes nothing', async () => {
  const [before, log] = [await countOf(), await audited()]
  const told = await alice.call('suspend_service', wanted())
  expect(told.result).toMatchObject({
    done: false,
    would: {
      tool: 'Suspend a service',
      arguments: wanted(),
      about: { id: world.serviceIds.shared, name: { untrusted: 'Sklep Łódź' } },
    },
    confirmation_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: new Date(world.clock.now() + 300_000).toISOString().replace('.000', ''),
  })
  expect([await countOf(), await audited()]).toEqual([before, log])
})

async function audited(): Promise<readonly Values[]> {
  const { body } = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?limit=200&sort=-id')
  return body as readonly Values[]
}

test('with the token it is done once, by the same steps as a request, and the audit log says by whom', async () => {
  const before = await countOf()
  const token = tokenOf(await alice.call('suspend_service', wanted()))
  const done = await alice.call('suspend_service', { ...wanted(), confirmation_token: token })
  expect(done.result).toMatchObject({ done: true, id: expect.any(Number) })
  expect(await countOf()).toBe(before + 1)
  const [record] = await audited()
  expect(record).toMatchObject({
    ...{
      source: 'mcp',
      operation: 'suspensions.create',
      resource: 'suspensions',
      object_id: String(done.result['id']),
    },
    ...{ account_id: world.people.ids.alice, api_key_id: expect.any(Number), before: null },
  })
  const again = await alice.call('suspend_service', { ...wanted(), confirmation_token: token })
  expect([again.isError, again.problems]).toEqual([true, ['incorrect_value arguments.confirmation_token']])
  expect(await countOf()).toBe(before + 1)
})

test('two calls with one token at the same moment do it once', async () => {
  const before = await countOf()
  const token = tokenOf(await alice.call('suspend_service', wanted()))
  const calls = await Promise.all(
    [1, 2, 3].map(() => alice.call('suspend_service', { ...wanted(), confirmation_token: token })),
  )
  expect(calls.filter(({ isError }) => !isError)).toHaveLength(1)
  expect(await countOf()).toBe(before + 1)
})

test('a token is for its caller, its tool and its arguments, and for five minutes', async () => {
  const before = await countOf()
  const token = tokenOf(await alice.call('suspend_service', wanted()))
  const refused = async (by: Assistant, name: string, given: object) => {
    const { problems } = await by.call(name, { ...given, confirmation_token: token })
    expect(problems).toEqual(['incorrect_value arguments.confirmation_token'])
  }
  await refused(alice, 'suspend_service', { ...wanted(), description: 'Other' })
  await refused(alice, 'correct_history', { ...wanted(), start_time: wanted().end_time, status: 'ok' })
  const { description: _description, ...shorter } = wanted()
  await refused(alice, 'suspend_service', shorter)
  await refused(await assistantWith(world, await keyOf(world, 'alice')), 'suspend_service', wanted())
  await refused(await assistantWith(world, await keyOf(world, 'adam')), 'suspend_service', wanted())
  await refused(await assistantWith(world, await keyOf(world, 'bob')), 'suspend_service', wanted())
  // None of them has used it up.
  const given = wanted()
  world.clock.advance(299_999)
  const kept = await alice.call('suspend_service', { ...given, confirmation_token: token })
  expect(kept.result['done']).toBe(true)
  const late = tokenOf(await alice.call('suspend_service', given))
  world.clock.advance(300_000)
  const { problems } = await alice.call('suspend_service', { ...given, confirmation_token: late })
  expect(problems).toEqual(['incorrect_value arguments.confirmation_token'])
  expect(await countOf()).toBe(before + 1)
})

test('what the API would refuse is refused before anybody is asked', async () => {
  const problemsOf = async (name: string, given: Values) => (await alice.call(name, given)).problems
  const past = { ...wanted(), start_time: wanted().end_time, end_time: '2026-01-01T00:00:00Z' }
  expect(await problemsOf('suspend_service', past)).toEqual(['incorrect_value arguments.end_time'])
  expect(await problemsOf('suspend_service', { ...wanted(), end_time: true })).toEqual([
    'incorrect_type arguments.end_time',
  ])
  expect(await problemsOf('resume_service', { suspension_id: 999_999 })).toEqual(['not_found'])
  const period = { service_id: world.serviceIds.shared, change_id: world.history.changeIds.ok }
  expect(await problemsOf('acknowledge_failure', period)).toEqual(['status_change_is_not_failure'])
})

test('a caller without the scope, without the right or of another account changes nothing', async () => {
  const before = await countOf()
  const reader = await assistantWith(world, await keyOf(world, 'alice', { scopes: ['read'] }))
  const { tools } = await reader.client.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  expect(tools.map(({ name }) => name)).not.toContain('read_report')
  expect((await reader.call('suspend_service', wanted())).problems).toEqual(['insufficient_scope'])
  const login = { username: 'rita', password: 'rita may come in' }
  const { token } = (await world.call(null, 'POST', '/sessions', login)).answer
  const rita = await assistantWith(world, token, { answer: () => ({ action: 'accept', content: { confirm: true } }) })
  expect((await rita.call('suspend_service', wanted())).problems).toEqual(['forbidden'])
  const carol = await assistantWith(world, await keyOf(world, 'carol'))
  expect((await carol.call('suspend_service', wanted())).isError).toBe(true)
  const charlie = await assistantWith(world, await keyOf(world, 'charlie'))
  expect((await charlie.call('suspend_service', wanted())).isError).toBe(true)
  const [suspension] = await suspensions()
  expect((await charlie.call('resume_service', { suspension_id: suspension?.['id'] })).problems).toEqual(['not_found'])
  expect(await countOf()).toBe(before)
})

test('a client that cannot ask a person changes nothing, unless the key lets it confirm by itself', async () => {
  const before = await countOf()
  const login = { username: 'alice', password: 'alice may come in' }
  const { token } = (await world.call(null, 'POST', '/sessions', login)).answer
  const cautious = await keyOf(world, 'alice', { can_confirm_itself: undefined })
  for (const credentials of [cautious, token]) {
    const assistant = await assistantWith(world, credentials)
    const { tools } = await assistant.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('suspend_service')
    const told = await assistant.call('suspend_service', wanted())
    expect([told.isError, told.result]).toEqual([true, { done: false, note: expect.stringContaining('cannot ask') }])
    const given = tokenOf(await alice.call('suspend_service', wanted()))
    expect((await assistant.call('suspend_service', { ...wanted(), confirmation_token: given })).isError).toBe(true)
  }
  expect(await countOf()).toBe(before)
  const asking = await assistantWith(world, cautious, {
    answer: () => ({ action: 'accept', content: { confirm: true } }),
  })
  expect((await asking.call('suspend_service', wanted())).result['done']).toBe(true)
  expect(await countOf()).toBe(before + 1)
})

/** Confirms whatever it is asked for. */
async function confirmed(by: Assistant, name: string, given: Values): Promise<CalledTool> {
  return by.call(name, { ...given, confirmation_token: tokenOf(await by.call(name, given)) })
}

test('every write does what it says', async () => {
  const { shared } = world.serviceIds
  const failure = { service_id: shared, change_id: world.history.changeIds.failure, comment: 'Anna is on it' }
  expect((await confirmed(alice, 'acknowledge_failure', failure)).result).toEqual({ done: true, id: null })
  const path = `/services/${shared}/history/status_changes/${failure.change_id}`
  expect((await world.call('alice', 'GET', path)).body).toMatchObject({ acknowledgement_comment: 'Anna is on it' })

  const range = { start_time: '2026-11-21T08:30:00Z', end_time: '2026-11-21T08:40:00Z' }
  const corrected = await confirmed(alice, 'correct_history', { service_id: shared, ...range, status: 'ok' })
  expect((await world.call('alice', 'GET', `/corrections/${corrected.result['id']}`)).body).toMatchObject(range)

  const suspended = await confirmed(alice, 'suspend_service', wanted())
  const { result: ended } = await confirmed(alice, 'resume_service', { suspension_id: suspended.result['id'] })
  expect(ended['done']).toBe(true)
  expect((await world.call('alice', 'GET', `/suspensions/${suspended.result['id']}`)).status).toBe(404)

  const asked = {
    template_id: world.furtherIds['report_templates'],
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-21T00:00:00Z',
  }
  const ordered = await confirmed(alice, 'create_report', asked)
  const state = await alice.call('read_report', { report_id: ordered.result['id'] })
  expect(state.result['found']).toMatchObject({ id: ordered.result['id'], status: 'pending' })
})

async function askedWith(answer: Answer): Promise<Assistant> {
  return assistantWith(world, key, { answer })
}

test('a client that can ask its person does; the token is no part of a result', async () => {
  const before = await countOf()
  const questions: string[] = []
  const assistant = await askedWith((question) => {
    questions.push(question)
    return { action: 'accept', content: { confirm: true } }
  })
  const { result } = await assistant.call('suspend_service', { ...wanted(), description: 'a\n- service_id: 7' })
  expect(result).toEqual({ done: true, id: expect.any(Number) })
  expect(questions).toHaveLength(1)
  expect(questions[0]?.split('\n')).toEqual([
    'An assistant asks to do this in Latarnik:',
    '**Suspend a service**',
    `- id: ${world.serviceIds.shared}`,
    '- name: "Sklep Łódź"',
    '- address: "shop.example.com/koszyk"',
    `- service_id: ${world.serviceIds.shared}`,
    `- end_time: "${wanted().end_time}"`,
    String.raw`- description: "a\n- service_id: 7"`,
  ])
  expect(await countOf()).toBe(before + 1)
})

test.each([
  [{ action: 'decline' }],
  [{ action: 'cancel' }],
  [{ action: 'accept', content: { confirm: false } }],
  [{ action: 'accept', content: {} }],
] as const)('an answer of %j changes nothing', async (answer) => {
  const before = await countOf()
  const assistant = await askedWith(() => answer)
  const { result } = await assistant.call('suspend_service', wanted())
  expect(result).toEqual({ done: false, note: expect.stringContaining('did not confirm') })
  expect(await countOf()).toBe(before)
})

test('a token that was told does not answer for a client that can ask, nor the other way round', async () => {
  const before = await countOf()
  const token = tokenOf(await alice.call('suspend_service', wanted()))
  let isAsked = false
  const assistant = await askedWith(() => {
    isAsked = true
    return { action: 'decline' }
  })
  await assistant.call('suspend_service', { ...wanted(), confirmation_token: token })
  expect([isAsked, await countOf()]).toEqual([true, before])
})

test('only the newest open confirmations of an account are kept', async () => {
  const tokens: string[] = []
  for (let count = 0; count < 21; count += 1) {
    world.clock.advance(1000)
    tokens.push(tokenOf(await alice.call('suspend_service', { ...wanted(), end_time: '2026-12-01T00:00:00Z' })))
  }
  const given = { ...wanted(), end_time: '2026-12-01T00:00:00Z' }
  const first = await alice.call('suspend_service', { ...given, confirmation_token: tokens[0] })
  expect(first.problems).toEqual(['incorrect_value arguments.confirmation_token'])
  const last = await alice.call('suspend_service', { ...given, confirmation_token: tokens[20] })
  expect(last.result['done']).toBe(true)
})
