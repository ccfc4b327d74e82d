import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { problemsOf } from '../support/refused.ts'

let api: ApiWorld
beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const password = 'Żółw & 7'
const steps = [
  { type: 'navigate', url: '/login', assertedEvents: [{ type: 'navigation', title: 'Log in' }] },
  { type: 'change', selectors: ['aria/Password'], value: '{{word}}' },
  { type: 'keyDown', key: 'Enter' },
]

function recording(more: readonly object[] = []): string {
  return JSON.stringify({ title: 'Login', steps: [...steps, ...more] })
}

interface Shown {
  readonly id: number
  readonly path_steps: readonly string[] | null
  readonly extended_settings: Readonly<Record<string, unknown>>
}

function create(extended_settings: object) {
  const service = { type_id: 'webappcheck', name: 'Sklep', address: 'shop.example.com', extended_settings }
  return api.call('alice', 'POST', '/services', service)
}

async function read(id: number): Promise<Shown> {
  return (await api.call('alice', 'GET', `/services/${id}`)).body as Shown
}

async function made(): Promise<number> {
  const reply = await create({ scenario: recording(), secrets: `word=${password}` })
  expect(reply.status, reply.text).toBe(201)
  return (reply.body as Shown).id
}

describe('a service with a scenario', () => {
  test('shows the names of its steps, and never its secrets', async () => {
    const reply = await create({ scenario: recording(), secrets: `word=${password}` })
    const service = await read((reply.body as Shown).id)
    expect(service.path_steps).toEqual(['Log in', 'change Password', 'keyDown Enter'])
    expect(service.extended_settings).toMatchObject({ scenario: recording(), secrets: null, timeout: 60_000 })
    const list = await api.call('alice', 'GET', '/services?type_id=webappcheck&embed=type,permissions')
    for (const { text } of [reply, list]) expect(text).not.toContain(password)
    expect(list.text).not.toContain('word=')
  })

  test('has new names with a new scenario, and keeps them through other changes', async () => {
    const id = await made()
    const change = (extended_settings: object) => api.call('alice', 'PUT', `/services/${id}`, { extended_settings })
    expect(await change({ timeout: 30_000 })).toMatchObject({ status: 204 })
    expect((await read(id)).path_steps).toHaveLength(3)
    expect(await change({ scenario: recording([{ type: 'close' }]) })).toMatchObject({ status: 204 })
    expect((await read(id)).path_steps).toEqual(['Log in', 'change Password', 'keyDown Enter', 'close main'])
    expect(await api.call('alice', 'PUT', `/services/${id}`, { name: 'Kram' })).toMatchObject({ status: 204 })
    expect((await read(id)).path_steps).toHaveLength(4)
  })

  test('takes no names of steps from outside', async () => {
    const id = await made()
    const reply = await api.call('alice', 'PUT', `/services/${id}`, { path_steps: ['One'] })
    expect(reply.body).toMatchObject([{ error: 'field_is_immutable', field: 'data.path_steps' }])
  })

  test('counts its steps in the statistics of the account', async () => {
    const stats = async () => {
      const reply = await api.call('alice', 'GET', '/accounts/my_account/stats')
      return (reply.body as { steps: { own: number } }).steps.own
    }
    const before = await stats()
    await made()
    expect(await stats()).toBe(before + 3)
  })
})

describe('a scenario is refused', () => {
  test('with all its faults at once, each where it is', async () => {
    const faulty = [
      { type: 'click', offsetX: 1 },
      { type: 'hover', selectors: ['#a', 7] },
      { type: 'customStep', name: 'x' },
    ]
    const reply = await create({
      scenario: JSON.stringify({ title: 'Login', steps: [...steps, ...faulty] }),
      timeout: 1,
    })
    const at = 'data.extended_settings.scenario.steps'
    expect(reply.status).toBe(422)
    expect(problemsOf(reply).map(({ error, field }) => [error, field])).toEqual([
      ['missing_value', `${at}[3].selectors`],
      ['missing_value', `${at}[3].offsetY`],
      ['incorrect_type', `${at}[4].selectors[1]`],
      ['incorrect_value', `${at}[5].type`],
      ['incorrect_value', 'data.extended_settings.timeout'],
    ])
  })

  test('when it refers to a secret that the service has not, or no longer', async () => {
    const problem = { error: 'incorrect_value', field: 'data.extended_settings.scenario.steps[1].value' }
    const reply = await create({ scenario: recording(), secrets: 'other=1' })
    expect(reply.body).toMatchObject([problem])
    expect(reply.text).toContain('secret')
    const id = await made()
    const without = await api.call('alice', 'PUT', `/services/${id}`, { extended_settings: { secrets: '' } })
    expect(without.body).toMatchObject([problem])
  })

  test('without telling what the secrets are', async () => {
    const reply = await create({ scenario: recording(), secrets: `${password}` })
    expect(reply.body).toMatchObject([{ error: 'incorrect_value', field: 'data.extended_settings.secrets' }])
    expect(reply.text).not.toContain(password)
  })
})
