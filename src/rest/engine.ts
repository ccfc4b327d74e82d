import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { Clock } from '../domain/clock.ts'
import type { Answer, Operation } from './call.ts'
import { type Asked, type CallParts, callOf, rootOf } from './calls.ts'
import type { Registry } from './declare.ts'
import { refuseKey } from './keys.ts'
import { ApiError, refuse } from './problems.ts'
import { rehearsed } from './rehearsal.ts'
import type { Within } from './requests.ts'
import { isRecorded, recorded } from './trail.ts'
import { type Authenticate, admit, authenticated, countedAs, mayCall } from './who-calls.ts'

/** The operations of the API for another protocol, by the steps, limits, permissions and audit log of a request. */
export interface Engine {
  readonly registry: Registry
  readonly clock: Clock
  readonly database: Database
  /** The operation of the name; throws if there is none. */
  operation(id: string): Operation
  /** The caller of a request by its bearer token alone; other credentials, and none, are refused. */
  identifyByToken(request: FastifyRequest): Promise<Caller>
  /** True if the caller's account and key open the operation at all. */
  isOpenTo(caller: Caller, operation: Operation): boolean
  /** Runs an operation; a rehearsal meets all rules, and changes nothing. */
  run(
    from: { readonly request: FastifyRequest; readonly caller: Caller },
    operation: Operation,
    asked: Asked & { readonly isRehearsal?: boolean },
  ): Promise<Answer>
  /** The address by which the request reached us. */
  rootOf(request: FastifyRequest): string
}

interface EngineParts extends CallParts {
  readonly operations: readonly Operation[]
  readonly authenticate: Authenticate
  readonly within: Within
}

export function createEngine(parts: EngineParts): Engine {
  const byId = new Map(parts.operations.map((operation) => [operation.id, operation]))
  return {
    registry: parts.registry,
    clock: parts.clock,
    database: parts.database,
    rootOf: (request) => rootOf(parts, request),
    operation(id) {
      const found = byId.get(id)
      if (found === undefined) throw new Error(`No operation is called ${id}.`)
      return found
    },
    async identifyByToken(request) {
      const { authorization } = request.headers
      const isBearer = /^bearer /i.test(authorization ?? '')
      const by = { authorization: isBearer ? authorization : undefined, isAssistant: true }
      const caller = await authenticated(parts, request, by)
      if (caller.scope === 'anonymous') refuse('missing_credentials')
      return caller
    },
    isOpenTo(caller, operation) {
      if (!mayCall(operation, caller)) return false
      try {
        refuseKey(operation, caller)
        return true
      } catch (error) {
        if (error instanceof ApiError) return false
        throw error
      }
    },
    async run({ request, caller }, operation, { isRehearsal = false, ...asked }) {
      const counted = countedAs(request, caller)
      await parts.limit(counted)
      await parts.budget.admit(counted)
      admit(operation, caller)
      parts.budget.work(counted)
      // Nothing else sends the writes of an operation through a transaction.
      if (isRehearsal && !isRecorded(operation)) throw new Error(`${operation.id} cannot be rehearsed.`)
      const call = callOf(parts, request, caller, asked)
      const used = isRehearsal ? { ...call, database: rehearsed(call.database) } : call
      return parts.within(request, () => operation.handle(recorded(used, operation)))
    },
  }
}
