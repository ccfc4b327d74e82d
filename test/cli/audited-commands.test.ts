import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changePassword, createPrimaryAccount, setBlocked } from '../../src/cli/accounts.ts'
import { showAudit } from '../../src/cli/audit-records.ts'
import { addIdentity, removeIdentities } from '../../src/cli/identities.ts'
import { removePasskeys } from '../../src/cli/passkeys.ts'
import { addSensor, revokeSensor } from '../../src/cli/sensors.ts'
import { findBrokenAudit } from '../../src/database/accounts/audit-log.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { givenPasskey } from '../support/passkeys.ts'

/** Each command that changes accounts or stations leaves a record, and one that changes nothing leaves none. */

let world: ApiWorld
let last = 0

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  const [row] = await world.database.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_log`)
  last = row?.id ?? 0
})

async function records() {
  const rows = await world.database.query<Readonly<Record<string, unknown>>>(sql`
    select owner_id, operation, object_id, before, after from audit_log
    where id > ${last} and source = 'cli' and account_id is null and ip_address = '' order by id`)
  expect(await findBrokenAudit(world.database)).toBeNull()
  return rows
}

const of = (id: number) => ({ owner_id: id, object_id: String(id) })

test('account identities --add and --remove', async () => {
  const { bob } = world.people.ids
  const added = { issuer: 'https://login.example.com', subject: 's-1', now: world.clock.now() }
  await addIdentity(world.database, 'bob', added)
  await addIdentity(world.database, 'bob', added)
  expect(await removeIdentities(world.database, 'bob', world.clock.now())).toBe(1)
  expect(await removeIdentities(world.database, 'bob', world.clock.now())).toBe(0)
  const identity = { issuer: 'https://login.example.com', identity: 's-1' }
  expect(await records()).toEqual([
    { ...of(bob), operation: 'accounts.add_identity', before: null, after: identity },
    { ...of(bob), operation: 'accounts.remove_identity', before: identity, after: null },
  ])
})

test('account create, password, block and unblock', async () => {
  const now = world.clock.now()
  const { id } = await createPrimaryAccount(world.database, {
    ...{ username: 'newcomer', name: 'New', emailAddress: '', languageId: 'pl', timeZoneId: 'utc', now },
    ...{ packageName: 'free', password: 'newcomer may come in' },
  })
  const options = { given: 'another long password', withoutSecondFactor: true, now }
  await changePassword(world.database, 'newcomer', options)
  for (const isBlocked of [true, true, false, false]) await setBlocked(world.database, 'newcomer', isBlocked, now)
  const made = await records()
  expect(made).toEqual([
    {
      ...{ ...of(id), operation: 'accounts.create', before: null },
      after: expect.objectContaining({ id, username: 'newcomer', name: 'New', language_id: 'pl', is_read_only: false }),
    },
    { ...of(id), operation: 'accounts.change_password', before: {}, after: {} },
    { ...of(id), operation: 'accounts.block', before: { is_blocked: false }, after: { is_blocked: true } },
    { ...of(id), operation: 'accounts.unblock', before: { is_blocked: true }, after: { is_blocked: false } },
  ])
  expect(JSON.stringify(made)).not.toMatch(/may come in|another long password|scrypt/)
})

test('account password --without-2fa tells that the second factor went, and of an administrator in the log of the installation', async () => {
  const { carol } = world.people.ids
  await world.database.execute(sql`update user_data set has_2fa_enabled = true where id = ${carol}`)
  const options = { given: 'another long password', withoutSecondFactor: true, now: world.clock.now() }
  await changePassword(world.database, 'carol', options)
  const [admin] = await world.database.query<{ id: number; username: string }>(sql`
    select id, username from administrators order by id limit 1`)
  await changePassword(world.database, admin?.username ?? '', options)
  expect(await records()).toMatchObject([
    { operation: 'accounts.change_password', object_id: String(carol) },
    { operation: 'accounts.disable_2fa', object_id: String(carol) },
    { owner_id: 0, operation: 'administrators.change_password', object_id: String(admin?.id) },
  ])
})

test('account passkeys --remove', async () => {
  const { alice } = world.people.ids
  await givenPasskey(world.database, alice)
  expect(await removePasskeys(world.database, 'alice', world.clock.now())).toBe(1)
  expect(await removePasskeys(world.database, 'alice', world.clock.now())).toBe(0)
  const removed = {
    ...of(alice),
    operation: 'accounts.remove_passkeys',
    before: { passkeys: ['Telephone'] },
    after: null,
  }
  expect(await records()).toEqual([removed])
})

test('sensor add and revoke', async () => {
  const now = world.clock.now()
  const place = { city: 'Gdańsk', country: 'Polska', now }
  const { id, token } = await addSensor(world.database, 'Audited', place)
  await addSensor(world.database, 'Audited', place)
  await revokeSensor(world.database, 'Audited', now)
  await expect(revokeSensor(world.database, 'Audited', now)).rejects.toThrow('has no token')
  const made = await records()
  const station = { owner_id: 0, object_id: String(id) }
  expect(made).toMatchObject([
    { ...station, operation: 'admin_sensors.create', after: { name: 'Audited', city: 'Gdańsk' } },
    { ...station, operation: 'admin_sensors.issue_token' },
    { ...station, operation: 'admin_sensors.issue_token' },
    { ...station, operation: 'admin_sensors.revoke_token' },
  ])
  expect(JSON.stringify(made)).not.toContain(token)
})

test('audit show prints the log of the installation, of an account, and of one that is gone', async () => {
  const shown = { from: undefined, operation: undefined, limit: 2, account: undefined }
  const ofInstallation = await showAudit(world.database, shown)
  expect(ofInstallation.map(({ operation }) => operation)).toEqual([
    'admin_sensors.issue_token',
    'admin_sensors.revoke_token',
  ])
  const made = await world.call('alice', 'POST', '/groups', { name: 'Shown' })
  expect(made.status).toBe(201)
  const ofAlice = { ...shown, account: 'alice', operation: 'groups.' }
  expect(await showAudit(world.database, ofAlice)).toMatchObject([
    { operation: 'groups.create', username: 'alice', source: 'api', after: { name: 'Shown' } },
  ])
  expect(await showAudit(world.database, { ...ofAlice, from: world.clock.now() + 1 })).toEqual([])
  const byNumber = { ...ofAlice, account: String(world.people.ids.alice) }
  expect(await showAudit(world.database, byNumber)).toHaveLength(1)
  expect(await showAudit(world.database, { ...shown, account: '987654' })).toEqual([])
  await expect(showAudit(world.database, { ...shown, account: 'nobody' })).rejects.toThrow('Nobody has the username')
})
