import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { decode, encode } from 'dns-packet'
import type { Moods } from './web.ts'

const serverFailure = 2

/** A name server for the company's one name. */
export function nameServer(moods: Moods, type: 'udp4' | 'udp6'): UdpSocket {
  const socket = createSocket(type)
  socket.on('message', (message, { port, address }) => {
    try {
      const { id = 0, questions = [] } = decode(message)
      const [question] = questions
      const isFailing = moods.now('names').isFailing
      const answers =
        isFailing || question?.type !== 'A'
          ? []
          : [{ type: 'A' as const, name: question.name, ttl: 300, data: '192.0.2.10' }]
      const flags = isFailing ? serverFailure : 0
      socket.send(encode({ type: 'response', id, flags, questions, answers }), port, address)
    } catch {
      // Not a query.
    }
  })
  return socket
}

function quietly(socket: Socket): Socket {
  return socket.on('error', () => socket.destroy()).setTimeout(30_000, () => socket.destroy())
}

/** Enough SMTP for a greeting. */
export function mailServer(moods: Moods): Server {
  return createServer((socket) => {
    quietly(socket).setEncoding('latin1')
    if (moods.now('mail').isFailing) return socket.end('421 4.3.2 Service shutting down\r\n')
    socket.write('220 poczta.zaglownia.example ESMTP\r\n')
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        if (/^QUIT/i.test(line)) socket.end('221 2.0.0 Bye\r\n')
        else if (/^EHLO/i.test(line))
          socket.write('250-poczta.zaglownia.example\r\n250-SIZE 20971520\r\n250 8BITMIME\r\n')
        else socket.write('250 OK\r\n')
      }
    })
  })
}

/** An open port. */
export function openPort(greeting: string): Server {
  return createServer((socket) => void quietly(socket).end(greeting))
}
