import { createSocket } from 'node:dgram'
import { errorText } from '../domain/error-text.ts'
import type { Attempt, CheckedAddress } from './dial.ts'
import { errorCode, Failure, ownFault } from './failure.ts'

/** Sends one datagram, and once more (made anew where it is a function) halfway to the limit in case it was lost; resolves with the first answer from that port. */
export function askOnce(
  attempt: Attempt,
  { address, port }: { readonly address: CheckedAddress; readonly port: number },
  question: Uint8Array | (() => Uint8Array),
): Promise<Buffer> {
  return attempt.wait<Buffer>((resolve, reject) => {
    const socket = createSocket({
      type: address.family === 6 ? 'udp6' : 'udp4',
      // It is a literal address: nothing is to be looked up.
      lookup: (host, _options, found) => found(null, host, address.family),
    })
    const send = () => socket.send(typeof question === 'function' ? question() : question)
    const again = setTimeout(send, attempt.remainingMs / 2)
    const close = () => {
      clearTimeout(again)
      // What comes after the end is nobody's any more.
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
    // The kernel drops what others send to a connected socket, and tells it of a closed port.
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
