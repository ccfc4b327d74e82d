/** The site that passkeys belong to (WebAuthn). A passkey works below the host name under which it was made. */
export interface RelyingParty {
  readonly id: string
  /** Scheme, host and port, as browsers write them. */
  readonly origin: string
}

/** The parts of a parsed address that decide. */
interface Place {
  readonly protocol: string
  readonly hostname: string
  readonly origin: string
}

/** Null where browsers permit no passkeys: at an IP address, and over plain http elsewhere than on localhost. */
export function relyingPartyOf({ protocol, hostname, origin }: Place): RelyingParty | null {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  // IPv6, or IPv4 as parsed addresses have it.
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
  const isPermitted = hostname !== '' && !isAddress && (protocol === 'https:' || (protocol === 'http:' && isLocal))
  return isPermitted ? { id: hostname, origin } : null
}

/**
 * True if a copy of the passkey may be in use: its counter must grow. Passkeys that are kept in step over several
 * devices do not count, and always say 0.
 */
export function isCounterRegression(stored: number, told: number): boolean {
  return (stored > 0 || told > 0) && told <= stored
}

/** Milliseconds in which a challenge must be answered. */
export const challengeLife = 300_000
