import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { findBrokenAudit } from '../../src/database/accounts/audit-log.ts'
import { oidcWorld } from '../support/oidc-world.ts'

const { oidc, ruled, logIn, comeIn, accountIn, emailOf } = oidcWorld()

/** The records of an account without their moments, the oldest first. */
async function recordsOf(ownerId: number, accountId: number) {
  const rows = await oidc.world.database.query<Readonly<Record<string, unknown>>>(sql`
    select operation, account_id, source, ip_address, before, after from audit_log
    where owner_id = ${ownerId} and resource = 'accounts' and object_id = ${String(accountId)} order by position`)
  expect(await findBrokenAudit(oidc.world.database)).toBeNull()
  return rows
}

const fromHere = { source: 'console', ip_address: '127.0.0.1' }

describe('the audit log tells what a login through the provider changes', () => {
  test('a rule that makes an account, links it, and later takes its right to write', async () => {
    const { alice } = oidc.world.people.ids
    ruled([{ when: { groups: 'ops' }, create: { sub_account_of: 'alice' }, is_read_only: false }])
    oidc.provider.people.set('a-1', { preferred_username: 'olga', name: 'Olga', groups: 'ops' })
    const id = Number((await accountIn((await logIn('a-1')).cookies))['id'])
    const { issuer } = oidc.provider
    const first = [
      {
        ...{ ...fromHere, operation: 'accounts.create', account_id: null, before: null },
        after: expect.objectContaining({ id, username: 'olga', parent_account_id: alice, is_read_only: false }),
      },
      {
        ...{ ...fromHere, operation: 'accounts.add_identity', account_id: id, before: null },
        after: { issuer, identity: 'a-1' },
      },
    ]
    expect(await recordsOf(alice, id)).toEqual(first)
    await logIn('a-1')
    expect(await recordsOf(alice, id)).toEqual(first)
    ruled([{ is_read_only: true }])
    await logIn('a-1')
    await logIn('a-1')
    expect(await recordsOf(alice, id)).toEqual([
      ...first,
      {
        ...{ ...fromHere, operation: 'accounts.update', account_id: null },
        ...{ before: { is_read_only: false }, after: { is_read_only: true } },
      },
    ])
  })

  test('an account that its password proves, once it is proven', async () => {
    const { bob } = oidc.world.people.ids
    oidc.provider.people.set('a-2', { email: await emailOf(bob), email_verified: true })
    await logIn('a-2')
    expect(await recordsOf(bob, bob)).toEqual([])
    await comeIn('a-2', 'bob')
    expect(await recordsOf(bob, bob)).toMatchObject([
      { ...fromHere, operation: 'accounts.add_identity', account_id: bob, after: { identity: 'a-2' } },
    ])
  })
})

describe('a rule that makes accounts', () => {
  const claims = { email: 'shared@example.com', email_verified: true, groups: 'ops' }
  const countAccounts = async () => (await oidc.world.database.query(sql`select from accounts`)).length

  test('makes none where several accounts have the address: only the operator can say whose they are', async () => {
    const { alice, charlie } = oidc.world.people.ids
    ruled([{ link_by: 'email', create: { package_id: oidc.world.people.packageIds.free } }])
    const former = await Promise.all([alice, charlie].map(emailOf))
    await oidc.world.database.execute(sql`
      update user_data set email_address = 'shared@example.com' where id in (${alice}, ${charlie})`)
    oidc.provider.people.set('b-1', { ...claims, preferred_username: 'shared' })
    const before = await countAccounts()
    const { reply, cookies } = await logIn('b-1')
    expect([reply.statusCode, cookies.has('latarnik_console')]).toEqual([403, false])
    expect(reply.body).toContain('link your account with the identity b-1 of Example ID')
    expect(await countAccounts()).toBe(before)
    for (const [place, id] of [alice, charlie].entries()) {
      await oidc.world.database.execute(sql`update user_data set email_address = ${former[place]} where id = ${id}`)
    }
  })

  test('makes one for each identity that shares a verified address with accounts of other identities', async () => {
    ruled([{ link_by: 'email', create: { package_id: oidc.world.people.packageIds.free } }])
    for (const name of ['first', 'second', 'third']) {
      oidc.provider.people.set(`c-${name}`, { ...claims, preferred_username: name })
      expect(await accountIn((await logIn(`c-${name}`)).cookies)).toMatchObject({ username: name })
    }
    ruled([{ link_by: 'email' }])
    oidc.provider.people.set('c-fourth', { ...claims, preferred_username: 'fourth' })
    const { reply } = await logIn('c-fourth')
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining('name your identity c-fourth')])
  })
})
