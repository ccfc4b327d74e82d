import { pino } from 'pino'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { apiWorld } from '../support/api.ts'
import { codeOf, tokenInLetter } from '../support/credentials.ts'
import { passwordOf } from '../support/people.ts'

test('whatever happens, no line of the log carries a secret', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const world = await apiWorld({ log })
  const secrets = [passwordOf('bob'), btoa(`bob:${passwordOf('bob')}`), 'a wrong password', 'brand new password']
  const remember = (secret: string) => {
    secrets.push(secret)
    return secret
  }
  const bobs = { username: 'bob', password: passwordOf('bob') }

  async function everything(): Promise<void> {
    await world.call('bob', 'GET', '/accounts')
    await world.call(null, 'POST', '/sessions', { ...bobs, password: 'a wrong password' })
    await world.call(null, 'POST', '/sessions', `{"password": "${passwordOf('bob')}", `)
    const login = await world.call(null, 'POST', '/sessions', bobs)
    const authorization = `Bearer ${remember(String((login.body as { token?: unknown } | undefined)?.token))}`
    await world.call(null, 'GET', '/accounts/my_account?token=a%20wrong%20password', undefined, { authorization })
    await world.call(null, 'GET', `/accounts/1/activate?token=${encodeURIComponent('a wrong password')}`)
    await world.call(null, 'POST', '/accounts/my_account/2fa/setup', undefined, { authorization })
    await world.call(
      null,
      'POST',
      '/accounts/my_account/change_password',
      { new_password: 'brand new password' },
      { authorization },
    )
    await world.call(null, 'POST', '/system/reset_password/confirm', {
      token: 'a wrong password',
      new_password: 'brand new password',
    })
    await world.server.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ code: 'a wrong password', code_verifier: 'brand new password' }).toString(),
    })
    await world.server.inject({ url: '/password?token=a%20wrong%20password' })
  }

  try {
    await everything()
    remember(await codeOf(world.database, world.people.ids.bob, world.clock.now()))
    await world.call(null, 'POST', '/system/reset_password/initialize', { username: 'bob' })
    remember(await tokenInLetter(world.database, world.people.ids.bob))
    // Faults of our own are logged with what the database says of them.
    for (const table of ['sessions', 'accounts', 'account_tokens', 'oauth_codes']) {
      await world.database.execute(sql`alter table ${raw(table)} rename to ${raw(`lost_${table}`)}`)
      await everything()
      await world.database.execute(sql`alter table ${raw(`lost_${table}`)} rename to ${raw(table)}`)
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.some((line) => line.includes('a request failed'))).toBe(true)
    const text = lines.join('').replaceAll('%20', ' ').replaceAll('+', ' ')
    expect(secrets.filter((secret) => secret !== 'undefined' && text.includes(secret))).toEqual([])
  } finally {
    await world.drop()
  }
})
