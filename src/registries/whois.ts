import type { Socket } from 'node:net'
import { errorText } from '../domain/text/error-text.ts'
import { Deadline } from '../outgoing/deadline.ts'
import { abandon, type Dialler } from '../outgoing/dial.ts'
import { GatheredBytes } from '../outgoing/gathered-bytes.ts'
import { parseHostAndPort } from '../outgoing/host.ts'

/** One question in WHOIS (RFC 3912): a line out, a text back until the server hangs up. */

/** Milliseconds, for the whole. */
const patience = 10_000
/** Bytes: an answer is a page of text. */
const longest = 64 * 1024
const whoisPort = 43

export type WhoisReply = { readonly text: string } | { readonly error: string }

/** Never rejects. @param server `host` or `host:port` */
export async function askWhois(server: string, question: string, dialler: Dialler): Promise<WhoisReply> {
  const deadline = new Deadline(patience)
  try {
    const { host, port } = parseHostAndPort(server, whoisPort)
    const socket = await dialler.connect(deadline, await dialler.resolve(deadline, host, 'any'), port)
    return { text: await exchange(deadline, socket, question) }
  } catch (error) {
    return { error: `${server}: ${errorText(error)}` }
  }
}

function exchange(deadline: Deadline, socket: Socket, question: string): Promise<string> {
  return deadline.wait<string>((resolve, reject) => {
    const answer = new GatheredBytes()
    const fail = (error: Error) => {
      abandon(socket)
      reject(error)
    }
    socket.on('error', fail)
    socket.on('data', (piece: Buffer) => {
      if (answer.length + piece.length <= longest) answer.add(piece)
      else fail(new Error(`its answer is longer than ${longest} bytes`))
    })
    socket.once('end', () => {
      abandon(socket)
      resolve(answer.whole().toString('latin1'))
    })
    socket.once('close', () => reject(new Error('it hung up')))
    socket.write(`${question}\r\n`)
    return () => abandon(socket)
  })
}

/** The server that the list of all top-level domains names; null: none. Undefined for a text that is no such answer. */
export function referralIn(text: string): string | null | undefined {
  if (!/^domain:/im.test(text)) return undefined
  const server = /^(?:whois|refer):[ \t]*(\S{1,255})[ \t]*\r?$/im.exec(text)?.[1]
  return server === undefined ? null : server.toLowerCase()
}
