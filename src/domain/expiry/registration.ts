import { getDomain } from 'tldts'
import { dayLength, hourLength } from '../calendars/durations.ts'
import type { ErrorTypeSymbol } from '../judging/error-types.ts'
import { isDomainName } from '../services/setting-grammars.ts'
import type { Expiry } from './expiry.ts'

/** The registration of a domain: the answers of its registry, the consequences for a service, and the next question. */

/** The facts of a registry about a domain. Names are in ASCII and lower case, moments in Unix milliseconds. */
export interface Registration {
  readonly domain: string
  /** The end of what is paid; null: the registry does not publish it. */
  readonly endsAt: number | null
  readonly registeredAt: number | null
  readonly registrar: string | null
  readonly nameServers: readonly string[]
  /** By DNSSEC; null: the registry does not say. */
  readonly isSigned: boolean | null
  /** As RDAP spells them: `client hold`. */
  readonly statuses: readonly string[]
}

/** Why a registry could not be asked. */
export interface RegistryFault {
  readonly symbol: ErrorTypeSymbol
  readonly message: string
}

/** Everything that is remembered of a domain. */
export interface RegistryMemory {
  /** The last registration that was seen; null: none yet. */
  readonly registration: Registration | null
  /** Answers in a row that the domain is not registered. */
  readonly misses: number
  /** The moment of the last answer; null: there was none. */
  readonly answeredAt: number | null
  /** The fault of the last question; null: it was answered. */
  readonly fault: RegistryFault | null
  /** Questions in a row without an answer. */
  readonly failures: number
  /** For a question that a server answers with “unchanged”. */
  readonly etag: string | null
  /** The registry is not asked before. */
  readonly askAfter: number
}

export const nothingAsked: RegistryMemory = {
  ...{ registration: null, misses: 0, answeredAt: null, fault: null, failures: 0, etag: null },
  askAfter: 0,
}

/** A name in its one spelling: lower case, without a dot at its end. */
export function plainName(name: string): string {
  return name.trim().replace(/\.$/, '').toLowerCase()
}

/** The registered domain above a name, by the list of public suffixes; null for any other text. */
export function registrableDomain(name: string): string | null {
  const plain = plainName(name)
  return isDomainName(plain) ? getDomain(plain) : null
}

/** The demands of a service on the registration of its domain. */
export interface DomainDemands {
  /** Empty: any. */
  readonly nameServers: readonly string[]
  /** A part of its name; empty: any. */
  readonly registrar: string
  readonly mustBeSigned: boolean
}

export interface DomainFinding {
  /** Null: nothing is wrong. */
  readonly fault: RegistryFault | null
  /** Null: the registry does not publish it, or nothing is known now. */
  readonly expiry: Expiry | null
}

/** An older answer says nothing of today. */
export const longestTrust = 3 * dayLength
/** A registry that forgets a domain for a moment must not raise an alarm. */
const missesToFail = 2

/**
 * The state of the domain as far as it is known. A silent registry is no fault of the domain. An end that has passed
 * counts only if the registry named it afterwards: before that the domain may have been renewed.
 */
export function findingOf(
  domain: string,
  { registration, misses, answeredAt, fault }: RegistryMemory,
  demands: DomainDemands,
  now: number,
): DomainFinding {
  if (answeredAt === null || now - answeredAt > longestTrust) {
    return { fault: fault ?? { symbol: 'registry_silent', message: 'it has not answered yet' }, expiry: null }
  }
  if (misses > 0) {
    const isSure = registration === null || misses >= missesToFail
    const message = isSure ? `${domain} is not registered` : `${domain} was not found; the registry is asked again`
    return { fault: { symbol: isSure ? 'domain_missing' : 'registry_answer_invalid', message }, expiry: null }
  }
  if (registration === null) return { fault: null, expiry: null }
  const { endsAt } = registration
  const expiry: Expiry | null = endsAt === null ? null : { kind: 'domain', id: domain, name: domain, endsAt }
  return { fault: faultOf(registration, demands, answeredAt), expiry }
}

const held = ['client hold', 'server hold']
const leaving = ['redemption period', 'pending delete', 'pending restore']

function faultOf(registration: Registration, demands: DomainDemands, answeredAt: number): RegistryFault | null {
  const { statuses, endsAt, nameServers, registrar, isSigned } = registration
  const [removal] = statuses.filter((status) => leaving.includes(status))
  if (removal !== undefined) return { symbol: 'domain_in_deletion', message: `status ${removal}` }
  if (endsAt !== null && endsAt <= answeredAt) {
    return { symbol: 'domain_expired', message: 'its registry names an end that has passed' }
  }
  const [hold] = statuses.filter((status) => held.includes(status))
  if (hold !== undefined) return { symbol: 'domain_on_hold', message: `status ${hold}` }
  if (demands.nameServers.length > 0 && !sameNames(demands.nameServers, nameServers)) {
    const [expected, found] = [demands.nameServers, nameServers].map((names) => names.join(', ') || 'none')
    return { symbol: 'domain_name_servers_differ', message: `name servers ${found}, expected ${expected}` }
  }
  if (demands.registrar !== '' && !contains(registrar ?? '', demands.registrar)) {
    const message = `registrar ${JSON.stringify(registrar ?? '')}, expected ${JSON.stringify(demands.registrar)}`
    return { symbol: 'domain_registrar_differs', message }
  }
  // A registry that does not say leaves the question open.
  if (demands.mustBeSigned && isSigned === false) {
    return { symbol: 'domain_not_signed', message: 'the delegation is not signed' }
  }
  return null
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return [...new Set(one)].toSorted().join() === [...new Set(other)].toSorted().join()
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

/** The outcome of one question. */
export type RegistryAnswer =
  | { readonly kind: 'found'; readonly registration: Registration; readonly etag: string | null }
  /** The same as last time. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly fault: RegistryFault }

/** How long a server asks to be left alone, in milliseconds; null: it does not say. */
export interface AnswerTimes {
  /** From `Cache-Control`. */
  readonly maxAge: number | null
  /** From `Retry-After`. */
  readonly retryAfter: number | null
}

/** While a registry answers, and while it does not. */
const longestPause = { answered: 7 * dayLength, failed: dayLength }
const firstRetry = hourLength / 4

/** One question a day at most: a server that wants fewer is obeyed, and one that fails is asked ever more seldom. */
export function memoryAfter(
  before: RegistryMemory,
  answer: RegistryAnswer,
  times: AnswerTimes,
  now: number,
): RegistryMemory {
  if (answer.kind === 'failed') {
    const failures = before.failures + 1
    const usual = Math.min(firstRetry * 4 ** Math.min(failures - 1, 10), dayLength)
    const pause = Math.min(Math.max(usual, times.retryAfter ?? 0), longestPause.failed)
    return { ...before, fault: answer.fault, failures, askAfter: now + pause }
  }
  const answered = { fault: null, failures: 0, answeredAt: now }
  if (answer.kind === 'missing') {
    const misses = before.misses + 1
    const isDoubtful = before.registration !== null && misses < missesToFail
    return { ...before, ...answered, misses, etag: null, askAfter: now + (isDoubtful ? hourLength : dayLength) }
  }
  const askAfter = now + Math.min(Math.max(dayLength, times.maxAge ?? 0), longestPause.answered)
  if (answer.kind === 'unchanged') return { ...before, ...answered, misses: 0, askAfter }
  const { registration, etag } = answer
  return { ...answered, registration, etag, misses: 0, askAfter }
}

/** The names in a setting: separated by commas or spaces, in any spelling. */
export function namesIn(text: string): readonly string[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(plainName)
}
