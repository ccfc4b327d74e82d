/**
 * Codes of an unavailable database. Socket errors, including a lack of descriptors in this process; of the server:
 * class 08 connection, 53 resources, 57P0x shutdown, crash and start, 25006 after a failover, 25P03 after a stall of
 * our own.
 */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE|57P0[1-5]|53...|08...|25006|25P03)$/
/** pg has no codes for these. */
const awayMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/

/** True if the database, or a machine of its cluster, is unavailable now: a later try of the statement may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && awayCodes.test(String(error.code))) return true
  if (awayMessages.test(error.message)) return true
  // A name with several addresses fails with one error for each.
  return error instanceof AggregateError ? error.errors.some(isDatabaseAway) : isDatabaseAway(error.cause)
}

/**
 * True if the coordinator of a cluster could not reach another machine: it answers, so everything else goes on. No
 * server says so of its own connections.
 */
export function isMachineAway(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && /^0800[0136]$/.test(String(error.code))
}

/** The coordinator's own words for a machine that it cannot reach. */
export function machineAwayError(name: string): Error {
  return Object.assign(new Error(`connection to the remote node ${name} failed`), { severity: 'ERROR', code: '08006' })
}

/** True if the database itself is unavailable now, and not only a machine of the history. */
export function isServerAway(error: unknown): boolean {
  return isDatabaseAway(error) && !isMachineAway(error)
}

/** Codes of Node.js' verification and of OpenSSL; pg has no code for a server without TLS. */
const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|EPROTO$)/
const tlsMessage = 'The server does not support SSL connections'

/** True if the server and the address's `sslmode` do not fit together: a person has to change one of them. */
export function isTlsFault(error: Error): boolean {
  return error.message === tlsMessage || ('code' in error && tlsCodes.test(String(error.code)))
}

/** True if the server grants no more connections to this user, database or at all. */
export function lacksConnections(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300'
}

/** True if the server's disk is full. Reading goes on; writing works again once somebody frees some space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === '53100') || isDiskFull(error.cause))
}

/** True if the server accepts no writes: it is a standby, or has become one. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '25006'
}

/** True if the server cancelled a statement that took longer than `readLimit`. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}

/** True if the transaction lost against another one (deadlock, serialization): the same work may succeed now. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^40(P01|001)$/.test(String(error.code))
}

/** True if another transaction was first to write a row of that key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** True if the row belongs to an account that another transaction has removed meanwhile. */
export function isOwnerGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false
  return error.code === '23503' && /_(owner|account)_id_fkey$/.test(String(error.constraint))
}

/** True if the statement names a missing table. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}
