import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** Only allowed members of a body reach the tables. */
let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

type Stored = Readonly<Record<string, unknown>>

async function rows(): Promise<Record<'accounts' | 'user_data', readonly Stored[]>> {
  return {
    accounts: await world.database.query<Stored>(sql`select * from accounts order by id`),
    user_data: await world.database.query<Stored>(sql`select * from user_data order by id`),
  }
}

const names = [
  ...['id', 'distribution_id', 'package_id', 'parent_account_id', 'username', 'name', 'language_id', 'time_zone_id'],
  ...['is_activated', 'is_blocked', 'is_read_only', 'can_share_groups', 'can_create_subaccounts', 'password'],
  ...['password_hash', 'created_at', 'user_data', 'default_group_id', 'package', 'permissions', '__proto__'],
  ...['contact_person', 'email_address', 'phone_number', 'address', 'tax_identification_number', 'settings'],
  ...['ip_whitelist', 'ip_whitelist_enabled', 'has_2fa_enabled', 'secret', 'scope', 'constructor'],
]

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 'pl', 'en', 'utc', 'dora', '2026-01-01T00:00:00Z', []),
  fc.constantFrom<unknown>({ email_address: 'x@example.com' }, { has_2fa_enabled: true }, ['0.0.0.0/0', '::/0']),
  fc.string({ maxLength: 10 }),
  fc.integer(),
)
const body = fc
  .dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
  .map((members) => JSON.stringify(Object.fromEntries(Object.entries(members))))

const free = {
  accounts: ['name', 'language_id', 'time_zone_id'],
  user_data: [
    ...['contact_person', 'email_address', 'phone_number', 'address', 'tax_identification_number'],
    ...['ip_whitelist', 'ip_whitelist_enabled'],
  ],
}

function changed(before: readonly Stored[], after: readonly Stored[]): string[] {
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  return after.flatMap((row, index) =>
    Object.keys(row)
      .filter((name) => JSON.stringify(row[name]) !== JSON.stringify(before[index]?.[name]))
      .map((name) => `${row['id']} ${name}`),
  )
}

test.each(['alice', 'adam', 'rita', 'bob'] as const)(
  'no change that %s makes reaches beyond their fields',
  async (person) => {
    const { ids } = world.people
    const children = person === 'alice' ? [ids.adam, ids.rita] : []
    const mayChange = person === 'rita' ? [] : [ids[person], ...children]
    const allowed = {
      accounts: mayChange.flatMap((id) => [
        ...free.accounts.map((name) => `${id} ${name}`),
        ...(children.includes(id) ? [`${id} is_read_only`] : []),
      ]),
      user_data: mayChange.flatMap((id) => free.user_data.map((name) => `${id} ${name}`)),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('accounts', 'user_data'),
        fc.constantFrom(...Object.values(ids)),
        body,
        async (resource, id, sent) => {
          const before = await rows()
          const { status } = await world.call(person, 'PUT', `/${resource}/${id}`, sent)
          expect([204, 403, 404, 422]).toContain(status)
          const after = await rows()
          expect(changed(before.accounts, after.accounts).filter((one) => !allowed.accounts.includes(one))).toEqual([])
          expect(changed(before.user_data, after.user_data).filter((one) => !allowed.user_data.includes(one))).toEqual(
            [],
          )
          await world.database.execute(sql`update user_data set ip_whitelist_enabled = false`)
          await world.database.execute(sql`update accounts set is_read_only = (username = 'rita')`)
        },
      ),
      { numRuns: 60 },
    )
  },
)

test('a new sub-account has the rights of a sub-account, whatever was sent', async () => {
  const { ids, packageIds } = world.people
  let made = 0
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const username = `new${++made}`
      const wanted = { ...(JSON.parse(sent) as object), username, user_data: { email_address: 'new@example.com' } }
      const { status } = await world.call('alice', 'POST', '/accounts', wanted)
      const [stored] = await world.database.query<Stored>(sql`select * from accounts where username = ${username}`)
      if (status !== 201) {
        expect(status).toBe(422)
        expect(stored).toBeUndefined()
        return
      }
      expect(stored).toMatchObject({
        parent_account_id: ids.alice,
        package_id: packageIds['sub-account'],
        is_blocked: false,
        is_activated: true,
        can_share_groups: false,
        can_create_subaccounts: false,
        created_at: world.clock.now(),
      })
    }),
    { numRuns: 60 },
  )
  expect(await world.database.query(sql`select 1 from accounts where username like 'new%'`)).not.toEqual([])
})
