import { isPageHost } from './status-page.ts'

/** Host names of status pages: who may take one, and how its owner proves it. Moments in Unix milliseconds. */

export interface PageHosts {
  /** Names, `*.` patterns or `*`, which their owners prove by a DNS record. */
  readonly permitted: readonly string[]
  /** `*.` patterns below the installation's own domain. The first page that asks for a name has it. */
  readonly free: readonly string[]
  /** The hosts of the installation itself, which no page gets. */
  readonly own: readonly string[]
}

export const noPageHosts: PageHosts = { permitted: [], free: [], own: [] }

function matches(host: string, pattern: string): boolean {
  if (pattern === '*') return true
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** How a page gets the host: at once, after a proof, or never. */
export function hostGrant(host: string, { permitted, free, own }: PageHosts): 'free' | 'proof' | 'refused' {
  if (own.includes(host)) return 'refused'
  if (free.some((pattern) => matches(host, pattern))) return 'free'
  return permitted.some((pattern) => matches(host, pattern)) ? 'proof' : 'refused'
}

/** The host of a page, as it stands there; `isFree`: it needed no proof. */
export interface HostOfPage {
  readonly host: string | null
  readonly provenAt: number | null
  readonly isFree: boolean
}

/** A proof does not outlast the permission of the operator. A host that earlier versions took may be none. */
export function hasHost({ host, provenAt, isFree }: HostOfPage, hosts: PageHosts): boolean {
  if (host === null || provenAt === null || !isPageHost(host)) return false
  return hostGrant(host, hosts) === (isFree ? 'free' : 'proof')
}

/** Where visitors find a page, without a slash at the end. `host`: one that the page has. */
export function pageUrl(
  { slug, host }: { readonly slug: string; readonly host: string | null },
  publicUrl: string,
): string {
  const root = publicUrl.replace(/\/+$/, '')
  return host === null ? `${root}/status/${slug}` : `${root.slice(0, root.indexOf('//')).toLowerCase()}//${host}`
}

/** The DNS record by which the owner of a host says that a page may have it. */
export function hostRecord(host: string, token: string) {
  return { type: 'TXT', name: `_latarnik.${host}`, value: `latarnik-status-page=${token}` } as const
}

/** A page has its host while it is proven. */
export interface HostProof {
  /** When the page asked for the host. */
  readonly claimedAt: number
  /** Null: it is not proven, or no longer. */
  readonly provenAt: number | null
  /** When the record was last seen. */
  readonly seenAt: number | null
}

/** `unknown`: no name server said whether there is such a record. */
export type RecordLookup = 'found' | 'missing' | 'unknown'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A proven host stays so for this long without its record. */
const patience = day
/** An owner who has not set the record for this long has given up. */
const longestWait = 30 * day

function untilNextLook({ claimedAt, seenAt }: HostProof, now: number): number | null {
  const waited = now - Math.max(claimedAt, seenAt ?? claimedAt)
  if (waited < hour) return minute
  if (waited < day) return 10 * minute
  return waited < longestWait ? hour : null
}

export interface HostVerdict extends HostProof {
  /** The next look at the record; null: when somebody asks for one. */
  readonly nextAt: number | null
}

/** The proof after a look at the record. A lookup that fails proves nothing and disproves nothing. */
export function hostVerdict(proof: HostProof, lookup: RecordLookup, now: number): HostVerdict {
  if (lookup === 'found') return { ...proof, provenAt: proof.provenAt ?? now, seenAt: now, nextAt: now + hour }
  const isProven = proof.provenAt !== null
  const hasLapsed = isProven && lookup === 'missing' && now - (proof.seenAt ?? proof.claimedAt) >= patience
  if (isProven && !hasLapsed) return { ...proof, nextAt: now + 10 * minute }
  const wait = untilNextLook(proof, now)
  return { ...proof, provenAt: null, nextAt: wait === null ? null : now + wait }
}
