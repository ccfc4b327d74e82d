import { errorText } from '../../domain/error-text.ts'
import type { Outcome } from '../delivery.ts'

/** What went wrong while a mail was handed over, by nodemailer or by the reply of the server. */
export interface SmtpFailure {
  readonly message: string
  readonly code: unknown
  readonly command: unknown
  /** Of the server's reply; absent when there was none. */
  readonly status: number | undefined
}

export function failureOf(error: unknown): SmtpFailure {
  const message = errorText(error)
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown }
  return { message, code, command, status: typeof responseCode === 'number' ? responseCode : undefined }
}

export function outcomeOf(failure: SmtpFailure, isHandedOver: boolean): Outcome {
  if (isHandedOver && failure.status === undefined) {
    return { status: 'unconfirmed', error: `The mail server's answer was not seen: ${failure.message}` }
  }
  return {
    status: 'failed',
    permanent: isPermanent(failure),
    isGatewayDown: !isAboutThisMail(failure),
    error: failure.message,
  }
}

/** Anything said of the recipient or the message, but that the server is closing down (421). */
function isAboutThisMail({ command, status, code }: SmtpFailure): boolean {
  if (status === undefined) return isUnsendable({ command, code })
  return status !== 421 && (command === 'RCPT TO' || command === 'DATA')
}

/**
 * Only what speaks of this address or this message. A refused login, sender or relay (5.7.x) is the operator's to mend,
 * and waits for it.
 */
function isPermanent({ code, command, status, message }: SmtpFailure): boolean {
  if (status === undefined) return isUnsendable({ command, code })
  if (status < 500) return false
  if (command === 'RCPT TO') return !/\b5\.7\.\d/.test(message)
  return command === 'DATA' && code === 'EMESSAGE'
}

/** Addresses that are none, or a message larger than the server said it takes: refused before it was asked. */
function isUnsendable({ command, code }: Pick<SmtpFailure, 'command' | 'code'>): boolean {
  return (command === 'API' && code === 'EENVELOPE') || (command === 'MAIL FROM' && code === 'EMESSAGE')
}
