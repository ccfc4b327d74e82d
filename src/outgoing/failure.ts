import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { errorText } from '../domain/text/error-text.ts'

/** The reason why a check ends early. Thrown inside a check only; `observe` turns it into a result value. */
export class Failure extends Error {
  readonly symbol: ErrorTypeSymbol
  /** The text of the library behind it, for the details of the check; null if the message says it all. */
  readonly raw: string | null

  constructor(symbol: ErrorTypeSymbol, message: string, raw: string | null = null) {
    super(message)
    this.symbol = symbol
    this.raw = raw
  }
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const outOfSockets = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EADDRINUSE', 'EAGAIN'])

/** A fault of this machine that any system call may return; null if the target may be to blame. */
export function ownFault(error: unknown): Failure | null {
  const code = errorCode(error)
  const text = errorText(error)
  if (outOfSockets.has(code)) return new Failure('sensor_out_of_sockets', text)
  if (code === 'ENETUNREACH' || code === 'ENETDOWN' || code === 'EAFNOSUPPORT') {
    return new Failure('sensor_without_network', text)
  }
  if (code === 'EACCES' || code === 'EPERM') return new Failure('sensor_not_permitted', text)
  return null
}
