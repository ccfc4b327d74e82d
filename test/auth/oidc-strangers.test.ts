import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { oidcWorld } from '../support/oidc-world.ts'

const { oidc, ruled, logIn, comeIn, accountIn, emailOf } = oidcWorld()

/** Another account with the address, as its maker leaves it: invited, and never opened. */
async function invited(path: string, address: string) {
  const body = { username: `made-${path.length}-${address.length}`, user_data: { email_address: address } }
  const made = await oidc.world.call('alice', 'POST', path, body)
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return (made.body as { id: number }).id
}

describe('an account that a stranger made with the address', () => {
  test('does not keep its owner from the own account: a registration never activated, an invitation never accepted', async () => {
    const { bob } = oidc.world.people.ids
    const address = await emailOf(bob)
    const made = [await invited('/accounts', address), await invited('/accounts/subaccount', address)]
    oidc.provider.people.set('n-1', { email: address, email_verified: true })
    expect(await accountIn((await comeIn('n-1', 'bob')).cookies)).toMatchObject({ id: bob })
    await oidc.world.database.execute(sql`delete from oidc_identities where subject = 'n-1'`)
    await oidc.world.database.execute(sql`
      update accounts set is_activated = false, password_hash = 'x' where id = any(${made}::int[])`)
    expect(await accountIn((await comeIn('n-1', 'bob')).cookies)).toMatchObject({ id: bob })
    await oidc.world.database.execute(sql`delete from accounts where id = any(${made}::int[])`)
  })

  test('is not linked at the first login while it depends on its maker and nobody accepted its invitation', async () => {
    const id = await invited('/accounts/subaccount', 'stranger@example.com')
    oidc.provider.people.set('n-2', { email: 'stranger@example.com', email_verified: true })
    expect((await logIn('n-2')).reply.statusCode).toBe(403)
    expect(await oidc.world.database.query(sql`select 1 from oidc_identities where account_id = ${id}`)).toEqual([])
    await oidc.world.database.execute(sql`
      update accounts set password_hash = (select password_hash from accounts where username = 'bob') where id = ${id}`)
    expect((await logIn('n-2')).reply.headers.location).toMatch(/^\/auth\/oidc\/proof/)
  })
})

test.each(['sub', 'email', 'name', 'preferred_username'])('NUL in the claim %s is the usual refusal', async (claim) => {
  ruled([{ link_by: 'email', create: { package_id: oidc.world.people.packageIds.free } }])
  const subject = claim === 'sub' ? 'o\0-1' : 'o-1'
  const claims = { email: 'nul@example.com', email_verified: true, preferred_username: 'nul', [claim]: 'a\0bc' }
  oidc.provider.people.set(subject, { ...claims, sub: subject })
  const { reply, cookies } = await logIn(subject)
  expect([reply.statusCode, cookies.has('latarnik_console')]).toEqual([403, false])
  // Failed logins of an address have a limit.
  oidc.world.clock.advance(61_000)
})
