import type { ErrorCase } from './error-cases.ts'

/** The last fields of an address. */
export const managed = 'managed_key, managed_by, managed_state'

const customer = {
  ...{ username: 'careful', password: 'nobody guesses this', is_2fa_setup_required: true },
  user_data: { email_address: 'careful@example.com' },
}

export const secondFactorCases = {
  second_factor_setup_required: {
    async prepare(world) {
      const made = await world.call('alice', 'POST', '/accounts/subaccount', customer)
      if (made.status !== 201) throw new Error(`The account could not be made: ${made.text}`)
      const login = Buffer.from(`${customer.username}:${customer.password}`).toString('base64')
      const authorization = `Basic ${login}`
      return (headers) => world.call(null, 'GET', '/groups', undefined, { authorization, ...headers })
    },
  },
} as const satisfies Record<string, ErrorCase>
