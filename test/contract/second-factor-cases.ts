import sql from 'sql-template-tag'
import type { ErrorCase } from './error-cases.ts'

export const secondFactorCases = {
  second_factor_setup_required: {
    async prepare(world) {
      await world.database.execute(sql`update accounts set is_2fa_setup_required = true where username = 'bob'`)
      return (headers) => world.call('bob', 'GET', '/groups', undefined, headers)
    },
  },
} as const satisfies Record<string, ErrorCase>
