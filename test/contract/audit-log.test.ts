import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenAudit } from '../../src/database/accounts/audit-log.ts'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import { isRecorded } from '../../src/rest/trail.ts'
import type { Reply } from '../support/api.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'

/** Every operation that changes something leaves one record, and a refused one none. */
const operations = allOperations(declaredResources())
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

interface Kept {
  readonly id: number
  readonly operation: string
  readonly object_id: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

async function recordsSince(id: number): Promise<readonly Kept[]> {
  return world.database.query<Kept>(
    sql`select id, operation, object_id, before, after from audit_log where id > ${id} order by id`,
  )
}

async function lastId(): Promise<number> {
  const [row] = await world.database.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_log`)
  return row?.id ?? 0
}

const recorded = operations.filter(isRecorded)
const isRemoving = ({ method, id }: Operation) => method === 'DELETE' || id.endsWith('bulk_delete')
const isBulk = ({ path }: Operation) => path.includes('/bulk_')
const depthOf = ({ path }: Operation) => path.split('/').length
/** Changes first; then removals, parts before their whole. */
const inOrder = [
  ...recorded.filter((operation) => !isRemoving(operation)),
  ...recorded
    .filter(isRemoving)
    .toReversed()
    .toSorted((one, other) => depthOf(other) - depthOf(one) || Number(isBulk(one)) - Number(isBulk(other))),
]

/** Their examples are refused, or change nothing: test/rest/audit-log.test.ts and the tests of each carry them out. */
const notProven = new Set([
  'accounts.change_password',
  'accounts.verify_2fa',
  'accounts.disable_2fa',
  'accounts.enable_2fa',
  'passkeys.register',
  'accounts.remove',
  'accounts.block',
  'accounts.unblock',
  'accounts.close',
  'accounts.copy_group_shares',
  'tag_contacts.update',
  'status_page_subscribers.update',
  'sessions.verify_2fa',
  'sessions.verify_passkey',
  'auth_token.remove',
  'groups.send_test_sms_notification',
  'services.send_test_sms_notification',
  'notification_addresses.send_test_sms_notification',
  'notification_addresses.rotate_secret',
  'notification_addresses.send_confirmation_code',
  'notification_addresses.confirm',
  'contact_addresses.send_test_sms_notification',
  'contact_addresses.rotate_secret',
  'contact_addresses.send_confirmation_code',
  'contact_addresses.confirm',
  'contacts.remove',
  'custom_templates.put',
  // Nothing is left of what their examples name.
  'suspensions.bulk_delete',
  'weekly_suspensions.bulk_delete',
  'scheduled_suspensions.bulk_delete',
  'corrections.bulk_delete',
  'services.bulk_delete',
  'groups.bulk_delete',
])

let number = 0

/** The published example, with new values where they must be unique. */
function bodyOf(operation: Operation): unknown {
  const example = description.exampleOf(operation)
  if (typeof example === 'string') return JSON.stringify(example)
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  number += 1
  const fields = operation.resource === undefined ? {} : world.registry.get(operation.resource).fields
  const unique = Object.keys(example).filter((name) => fields[name]?.unique)
  const isChange = operation.method === 'PUT' || operation.id.endsWith('bulk_update')
  const texts = ['name', 'description'].filter((name) => isChange && Object.hasOwn(operation.body ?? {}, name))
  const named = { template_id: world.furtherIds['templates'], ids: [world.history.changeIds.failure] }
  const more = {
    ...Object.fromEntries(texts.map((name) => [name, `Text ${number}`])),
    ...(operation.id === 'report_templates.update' ? { title: undefined } : {}),
    ...(operation.id === 'custom_templates.put' ? { template_id: named.template_id } : {}),
    ...(operation.id === 'status_changes.bulk_update' ? { ids: named.ids } : {}),
  }
  const renamed = unique.map((name) => [name, `${Object(example)[name]}-${number}`] as const)
  return { ...example, ...more, ...Object.fromEntries(renamed) }
}

async function carryOut(operation: Operation): Promise<{ reply: Reply; records: readonly Kept[] }> {
  const before = await lastId()
  const path = world.fill(operation.path)
  const reply = await world.call(ownerFor(operation), operation.method, path, bodyOf(operation))
  return { reply, records: await recordsSince(before) }
}

function succeededElements({ body }: Reply): number | null {
  if (!Array.isArray(body)) return null
  return (body as readonly { ok?: boolean }[]).filter(({ ok }) => ok === true).length
}

test('each leaves one record, each element of a bulk operation one of its own, and a refused one none', async () => {
  const unproven: string[] = []
  for (const operation of inOrder) {
    const { reply, records } = await carryOut(operation)
    const told = `${operation.id} ${reply.status} ${reply.text.slice(0, 300)}`
    const elements = succeededElements(reply)
    const isRefused = reply.status >= 400 || elements === 0
    if (isRefused || records.length === 0) unproven.push(told)
    if (isRefused) expect([told, records]).toEqual([told, []])
    else if (records.length > 0) {
      const names = [...new Set(records.map((record) => record.operation))]
      expect([operation.id, records.length, names]).toEqual([operation.id, elements ?? 1, [operation.id]])
    }
  }
  expect(unproven.filter((told) => !notProven.has(told.split(' ')[0] ?? ''))).toEqual([])
  expect(await findBrokenAudit(world.database)).toBeNull()
})
