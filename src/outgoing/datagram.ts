import { createSocket } from 'node:dgram'
import { errorText } from '../domain/text/error-text.ts'
import type { CheckedAddress, DialAttempt } from './dial.ts'
import { errorCode, Failure, ownFault } from './failure.ts'

/**
 * Sends one datagram, and again halfway to the limit in case it was lost; a function makes a new one each time.
 * Resolves with the first answer from that port.
 */
export function askOnce(
  attempt: DialAttempt,
  { address, port }: { readonly address: CheckedAddress; readonly port: number },
  question: Uint8Array | (() => Uint8Array),
): Promise<Buffer> {
  return attempt.wait<Buffer>((resolve, reject) => {
    const socket = createSocket({
      type: address.family === 6 ? 'udp6' : 'udp4',
      // It is a literal address, so nothing needs a lookup.
      lookup: (host, _options, found) => found(null, host, address.family),
    })
    const send = () => socket.send(typeof question === 'function' ? question() : question)
    const again = setTimeout(send, attempt.remainingMs / 2)
    const close = () => {
      clearTimeout(again)
      // Events after the end are ignored.
      socket.removeAllListeners().on('error', () => undefined)
      socket.close()
    }
    socket.on('error', (error) => {
      close()
      reject(failureOf(error))
    })
    socket.on('message', (answer) => {
      close()
      resolve(answer)
    })
    // On a connected socket the kernel drops packets from others, and reports a closed port.
    socket.connect(port, address.ip, send)
    return close
  })
}

function failureOf(error: unknown): Failure {
  const own = ownFault(error)
  if (own !== null) return own
  const code = errorCode(error)
  if (code === 'ECONNREFUSED') return new Failure('connection_refused', errorText(error))
  if (code === 'EHOSTUNREACH') return new Failure('host_unreachable', errorText(error))
  return new Failure('connection_failed', errorText(error))
}
