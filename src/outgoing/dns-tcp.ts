import { connect, type Socket } from 'node:net'
import { type DnsQuestion, type DnsReply, type DnsServer, encodeQuestion, newQueryId, readReply } from './dns-client.ts'
import { GatheredBytes } from './gathered-bytes.ts'

const lengthBytes = 2

/** One question over one TCP connection (RFC 7766). Resolves with an Error instead of rejecting. */
export function askOverTcp(server: DnsServer, question: DnsQuestion, timeoutMs: number): Promise<DnsReply | Error> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.ip, port: server.port, autoSelectFamily: false })
    const timer = setTimeout(() => socket.destroy(new Error(`no reply within ${Math.round(timeoutMs)} ms`)), timeoutMs)
    const finish = (reply: DnsReply | Error): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(reply)
    }
    socket.on('error', finish)
    askOverSocket(socket, question, finish)
  })
}

/** The same over a socket that is connected or connecting; the caller handles its errors and its time. */
export function askOverSocket(socket: Socket, question: DnsQuestion, finish: (reply: DnsReply | Error) => void): void {
  const id = newQueryId()
  const query = encodeQuestion(question, id)
  const gathered = new GatheredBytes()
  socket.on('data', (chunk) => {
    gathered.add(chunk)
    if (gathered.length < lengthBytes) return
    const received = gathered.whole()
    const length = received.readUInt16BE(0)
    if (received.length < lengthBytes + length) return
    const packet = readReply(received.subarray(lengthBytes, lengthBytes + length), question, id)
    finish(typeof packet === 'string' ? new Error(packet) : { packet, bytes: length, transport: 'tcp' })
  })
  socket.on('end', () => finish(new Error('closed without a reply')))
  const prefix = Buffer.alloc(lengthBytes)
  prefix.writeUInt16BE(query.length)
  socket.write(Buffer.concat([prefix, query]))
}
