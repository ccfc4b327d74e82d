// A long line to the core: whatever goes over it arrives later, in its order.
import { connect, createServer, type Socket } from 'node:net'

const [port = '0', host = '', hostPort = '0'] = process.argv.slice(2)
let delayMs = 0

function pass(from: Socket, to: Socket): void {
  let lastAt = 0
  const later = (act: () => void) => {
    lastAt = Math.max(lastAt, performance.now() + delayMs)
    setTimeout(act, lastAt - performance.now())
  }
  from.on('data', (bytes) => later(() => to.write(bytes)))
  from.on('close', () => later(() => to.destroy()))
  from.on('error', () => from.destroy())
}

const server = createServer((near) => {
  const far = connect(Number(hostPort), host)
  pass(near, far)
  pass(far, near)
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
process.on('message', (ms) => {
  delayMs = Number(ms)
})
process.on('disconnect', () => process.exit(0))
