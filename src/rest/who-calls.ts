import type { FastifyRequest } from 'fastify'
import { anonymousCaller, type Caller } from '../domain/access/caller.ts'
import { networkOf, withoutPort } from '../domain/access/network.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { Operation } from './call.ts'
import type { CpuBudget } from './cpu-budget.ts'
import { isOfAnotherSite } from './cross-site.ts'
import { isForAnybody, refuseKey } from './keys.ts'
import { ApiError, refuse } from './problems.ts'
import type { Counted, RateLimit } from './rate-limit.ts'

export interface Credentials {
  readonly authorization: string | undefined
  readonly ipAddress: string
  readonly userAgent: string
  /** A session that still lacks its second factor will do. */
  readonly isUnverifiedAllowed: boolean
  /** A token of an assistant will do, which opens `/mcp` alone. */
  readonly isAssistant?: boolean
}

/** Null: the request has no credentials. */
export type Authenticate = (
  credentials: Credentials,
) => Promise<
  { readonly caller: Caller } | { readonly problems: readonly Problem[]; readonly retryAfterSeconds?: number } | null
>

function refuseScope(operation: Operation, caller: Caller): void {
  if (isForAnybody(operation)) return
  if (caller.scope === 'anonymous') refuse('missing_credentials')
  if (!mayCall(operation, caller)) refuse('forbidden', undefined, { scope: operation.access })
}

/** The caller's address, as the framework derives it from the connection and trusted proxies. */
export function addressOf({ ip }: FastifyRequest): string {
  return withoutPort(ip)
}

/** The caller whose requests are counted together. */
export function countedAs(request: FastifyRequest, caller: Caller): Counted {
  return caller.scope === 'anonymous'
    ? { by: 'anonymous', key: networkOf(addressOf(request)) }
    : { by: 'account', key: `${caller.scope} ${caller.account_id}` }
}

interface Guard {
  readonly authenticate: Authenticate
  readonly limit: RateLimit
  readonly budget: Pick<CpuBudget, 'admit'>
  readonly publicUrl: string | undefined
  readonly cookieToken?: (request: FastifyRequest) => string | null
}

/** The request's credentials. An EventSource may open a stream; it sends a cookie and no header. */
function authorizationOf(
  request: FastifyRequest,
  { access, isStream }: Operation,
  cookieToken: Guard['cookieToken'],
): string | undefined {
  if (access === 'open') return undefined
  const { authorization, 'sec-fetch-site': site } = request.headers
  if (authorization !== undefined || isStream !== true || (site !== undefined && site !== 'same-origin')) {
    return authorization
  }
  const token = cookieToken?.(request) ?? null
  return token === null ? undefined : `Bearer ${token}`
}

/** True if the operation is for callers of this kind at all. */
export function mayCall(operation: Operation, caller: Caller): boolean {
  const { access } = operation
  return isForAnybody(operation) || access === 'any' || access === 'unverified' || access === caller.scope
}

/** The caller by these credentials, counted and admitted; anonymous without any. */
export async function authenticated(
  { authenticate, limit, budget }: Pick<Guard, 'authenticate' | 'limit' | 'budget'>,
  request: FastifyRequest,
  by: Pick<Credentials, 'authorization' | 'isAssistant'> & Partial<Pick<Credentials, 'isUnverifiedAllowed'>>,
): Promise<Caller> {
  const outcome = await authenticate({
    authorization: by.authorization,
    ipAddress: addressOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    isUnverifiedAllowed: by.isUnverifiedAllowed ?? false,
    ...(by.isAssistant === undefined ? {} : { isAssistant: by.isAssistant }),
  })
  if (outcome !== null && 'problems' in outcome) {
    await limit(countedAs(request, anonymousCaller))
    const seconds = outcome.retryAfterSeconds
    throw new ApiError(outcome.problems, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
  }
  const caller = outcome?.caller ?? anonymousCaller
  await limit(countedAs(request, caller))
  await budget.admit(countedAs(request, caller))
  return caller
}

/** Refuses callers without access to the operation. */
export function admit(operation: Operation, caller: Caller): void {
  refuseScope(operation, caller)
  if (caller.must_set_up_second_factor && operation.isBeforeSecondFactor !== true && !isForAnybody(operation))
    refuse('second_factor_setup_required')
  refuseKey(operation, caller)
}

/** Identifies the caller of an operation; refuses callers without access. */
export function identify(guard: Guard) {
  return async (request: FastifyRequest, operation: Operation): Promise<Caller> => {
    if (isOfAnotherSite(request, guard.publicUrl)) refuse('cross_site_request')
    const caller = await authenticated(guard, request, {
      authorization: authorizationOf(request, operation, guard.cookieToken),
      isUnverifiedAllowed: operation.access === 'unverified',
    })
    admit(operation, caller)
    return caller
  }
}
