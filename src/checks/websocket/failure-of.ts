import { errorText } from '../../domain/text/error-text.ts'
import { errorCode, Failure } from '../../outgoing/failure.ts'

/** The failure behind an error of the library. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const [code, text] = [errorCode(error), errorText(error)]
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return new Failure('protocol_answer_too_large', text)
  if (code === 'ECONNRESET' || code === 'EPIPE' || /hang up|was closed/.test(text)) {
    return new Failure('protocol_closed', text)
  }
  return new Failure('protocol_not_spoken', text)
}
