// Pages on a machine of the network. Each answers after a while, so that checks are always running; `/weak` fails on
// command.
import { createServer } from 'node:http'

const [address = '', port = '80'] = process.argv.slice(2)
const answerMs = 300
let isWeakPageUp = true

const server = createServer((request, response) => {
  const isUp = request.url !== '/weak' || isWeakPageUp
  setTimeout(() => response.writeHead(isUp ? 200 : 503).end('Latarnia'), answerMs)
})
server.listen({ host: address, port: Number(port), backlog: 2048 }, () => process.send?.('ready'))
process.on('message', (isUp) => {
  isWeakPageUp = isUp === true
})
process.on('disconnect', () => process.exit(0))
