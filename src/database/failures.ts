/**
 * Of the socket, also when this process has no descriptor left for one; and of the server: class 08 connection, 53 resources, 57P0x shutdown,
 * crash and start, 25006 after a failover, 25P03 after a standstill of our own.
 */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE|57P0[1-5]|53...|08...|25006|25P03)$/
/** pg has no codes for these. */
const awayMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/

/** True when the failure says that the database cannot serve now, not that the statement is wrong: worth another try later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && awayCodes.test(String(error.code))) return true
  if (awayMessages.test(error.message)) return true
  // A name with several addresses fails with one error for each.
  return error instanceof AggregateError ? error.errors.some(isDatabaseAway) : isDatabaseAway(error.cause)
}

/** True when the server's disk has no room: reading goes on, writing works again by itself when somebody has made some. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === '53100') || isDiskFull(error.cause))
}

/** True when the server gave up a statement that took longer than `readLimit`. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}

/** True when the transaction lost against another one (deadlock, serialization): the same work may succeed now. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^40(P01|001)$/.test(String(error.code))
}

/** True when the statement names a table that is not there. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}
