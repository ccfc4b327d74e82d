import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../src/assistants/tools.ts'
import { type Assistant, assistantWith, keyOf, mcpUrl } from '../support/assistant.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let alice: Assistant
beforeAll(async () => {
  world = await furnishedWorld()
  alice = await assistantWith(world, await keyOf(world, 'alice'))
})
afterAll(() => world.drop())

test('every tool is described from its operation', async () => {
  const { tools: listed } = await alice.client.listTools()
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  const suspend = listed.find(({ name }) => name === 'suspend_service')
  expect(suspend?.inputSchema.required).toEqual(['service_id', 'end_time'])
  expect(suspend?.annotations?.readOnlyHint).toBe(false)
})

test('services are listed with their state, and names are marked', async () => {
  const { result } = await alice.call('list_services')
  console.log(JSON.stringify(result).slice(0, 1500))
  const failing = await alice.call('list_services', { state: ['failure'] })
  console.log(JSON.stringify(failing).slice(0, 800))
  const explained = await alice.call('explain_failure', { service_id: world.serviceIds.shared })
  console.log(JSON.stringify(explained).slice(0, 5000))
})

test.each(tools.filter(({ does }) => does === 'read').map(({ name }) => name))('%s answers', async (name) => {
  const { shared } = world.serviceIds
  const tool = tools.find((one) => one.name === name)
  const known: Record<string, unknown> = { service_id: shared, analysis_id: 'last_analysis', report_id: world.furtherIds['reports'] }
  const { inputSchema } = (await alice.client.listTools()).tools.find((one) => one.name === name) ?? { inputSchema: { required: [] } }
  const given = Object.fromEntries((inputSchema.required ?? []).map((argument) => [argument, known[argument]]))
  const answered = await alice.call(name, given)
  console.log(name, JSON.stringify(answered.result).slice(0, 300), answered.problems, tool?.operation)
  expect(answered.isError).toBe(false)
})

test('GET', async () => {
  const url = await mcpUrl(world)
  const answer = await fetch(url)
  console.log(answer.status, Object.fromEntries(answer.headers), await answer.text())
})
