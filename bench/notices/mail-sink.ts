/**
 * A mail server in its own process that accepts everything as fast as it comes, and reports each mail to its parent.
 */
import { createServer, type Socket } from 'node:net'

export interface Arrival {
  readonly serviceId: number
  readonly condition: string
  readonly messageId: string
  /** Unix milliseconds. */
  readonly at: number
}

let arrivals: Arrival[] = []
let count = 0

/** One client. Pipelined commands are answered together. */
function serve(socket: Socket): void {
  let rest = ''
  let isInMessage = false
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.write('220 sink ESMTP\r\n')
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1')
    let replies = ''
    for (;;) {
      const end = isInMessage ? rest.indexOf('\r\n.\r\n') : rest.indexOf('\r\n')
      if (end < 0) break
      if (isInMessage) {
        take(rest.slice(0, end))
        rest = rest.slice(end + 5)
        isInMessage = false
        replies += '250 taken\r\n'
      } else {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        isInMessage = line === 'DATA'
        replies += replyTo(line)
      }
    }
    if (replies !== '') socket.write(replies)
  })
}

function replyTo(line: string): string {
  if (line.startsWith('EHLO')) return '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n'
  if (line === 'DATA') return '354 go on\r\n'
  return line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n'
}

function take(mail: string): void {
  count += 1
  const header = (name: string) => new RegExp(`^${name}: (.+?)\r?$`, 'im').exec(mail)?.[1] ?? ''
  arrivals.push({
    serviceId: Number(header('X-Latarnik-Service')),
    condition: header('X-Latarnik-Event'),
    messageId: header('Message-ID'),
    at: Date.now(),
  })
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
setInterval(() => {
  if (arrivals.length === 0) return
  process.send?.({ arrivals, count })
  arrivals = []
}, 20)
// The parent decides when it is over, also when the terminal says so to all of them.
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))
