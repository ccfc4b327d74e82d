/** The far end of bare frames: a frame of so many bytes for each that comes. */
import { WebSocket } from 'ws'
import { answerCpu } from './far-process.ts'

const [url = '', bytes = '0'] = process.argv.slice(2)
const back = 'x'.repeat(Number(bytes))
const socket = new WebSocket(url, { perMessageDeflate: false })
socket.on('message', (data) => {
  if (data.toString().length > 0) socket.send(back)
})
answerCpu(() => socket.terminate())
