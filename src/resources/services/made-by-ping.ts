import sql, { type Sql } from 'sql-template-tag'
import { callerOf, findLoginOf } from '../../auth/callers.ts'
import type { Database } from '../../database/connect.ts'
import { lockKeys } from '../../database/locks.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Call } from '../../rest/call.ts'
import type { Registry } from '../../rest/declare.ts'
import { create } from '../../rest/operations/create.ts'
import { ApiError } from '../../rest/problems.ts'

export interface PingMaker {
  readonly database: Database
  readonly clock: Clock
  readonly registry: Registry
  readonly collation: Sql
  readonly log: { readonly info: (facts: object, message: string) => void }
}

/**
 * Makes a heartbeat that a ping asks for, with the rights and within the limits of the account whose key it has. False:
 * the account may not.
 */
export function heartbeatsMadeIn({ database, clock, registry, collation, log }: PingMaker) {
  return async (accountId: number, slug: string): Promise<boolean> => {
    const login = await findLoginOf(database, { scope: 'customer', account_id: accountId })
    if (login === undefined || login.is_blocked) return false
    const body = { type_id: 'heartbeat', name: slug, ping_slug: slug }
    const call: Call = {
      ...{ caller: callerOf(login, null), language: 'en', askedLanguage: null, nowAt: clock.now() },
      ...{ database, registry, collation, parameters: {}, query: new URLSearchParams(), body },
      ...{ bearerToken: null, accept: '', ifMatch: null, lastEventId: null, prefersPage: false },
      ...{ ipAddress: '', userAgent: '', baseUrl: '', source: null, trail: null },
      charge: async () => {},
      logFault: (error) => log.info({ err: error }, 'a part of making a heartbeat failed'),
    }
    try {
      // Pings that come together ask for one heartbeat. Its own transaction makes it while this one holds the lock.
      await database.transaction(async (transaction) => {
        await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.slugs}, ${accountId})`)
        const made = await transaction.query(
          sql`select 1 from heartbeats where owner_id = ${accountId} and ping_slug = ${slug} limit 1`,
        )
        if (made.length === 0) await create(registry.get('services'), call)
      })
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.info({ account_id: accountId, slug, err: error }, 'a ping could not make its heartbeat')
      return false
    }
  }
}
