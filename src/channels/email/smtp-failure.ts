import { errorText } from '../../domain/text/error-text.ts'
import type { DeliveryOutcome } from '../delivery.ts'

/** An error while a mail was handed over, from nodemailer or from the server's reply. */
export interface SmtpFailure {
  readonly message: string
  readonly code: unknown
  readonly command: unknown
  /** The status of the server's reply; absent if there was none. */
  readonly status: number | undefined
}

export function failureOf(error: unknown): SmtpFailure {
  const message = errorText(error)
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown }
  return { message, code, command, status: typeof responseCode === 'number' ? responseCode : undefined }
}

export function outcomeOf(failure: SmtpFailure, isHandedOver: boolean): DeliveryOutcome {
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

/** True for anything about the recipient or the message, except that the server is closing (421). */
function isAboutThisMail({ command, status, code }: SmtpFailure): boolean {
  if (status === undefined) return isUnsendable({ command, code })
  return status !== 421 && (command === 'RCPT TO' || command === 'DATA')
}

/**
 * True only if the reply is about this address or this message. A refused login, sender or relay (5.7.x) waits for the
 * operator to mend it.
 */
function isPermanent({ code, command, status, message }: SmtpFailure): boolean {
  if (status === undefined) return isUnsendable({ command, code })
  if (status < 500) return false
  if (command === 'RCPT TO') return !/\b5\.7\.\d/.test(message)
  return command === 'DATA' && code === 'EMESSAGE'
}

/** True if nothing was sent: an invalid address, or a message above the server's announced limit. */
function isUnsendable({ command, code }: Pick<SmtpFailure, 'command' | 'code'>): boolean {
  return (command === 'API' && code === 'EENVELOPE') || (command === 'MAIL FROM' && code === 'EMESSAGE')
}
