// The least that a client can do to ping: one socket, its packets and their answers.
import { createSocket } from 'node:dgram'
import { loadOpenDescriptor } from '../../src/sensor/ping/echo-socket.ts'

const header = { echoRequest: 8, sequenceAt: 6, bytes: 8 }
const payloadBytes = 56
/** The kernel ignores the port of a ping socket, but Node refuses zero. */
const anyPort = 1

/** Made at the first use: few machines permit such a socket. */
export function bareEcho(): () => Promise<void> {
  const waiting = new Map<number, () => void>()
  let [sequence, send] = [0, null as ((packet: Buffer) => void) | null]
  const open = (): ((packet: Buffer) => void) => {
    const fd = loadOpenDescriptor()?.(4) ?? -1
    const socket = createSocket({ type: 'udp4', lookup: (host, _options, found) => found(null, host, 4) })
    socket.on('message', (packet) => waiting.get(packet.readUInt16BE(header.sequenceAt))?.())
    const bound = new Promise<void>((resolve) => socket.bind({ fd }, resolve))
    return (packet) => void bound.then(() => socket.send(packet, anyPort, '127.0.0.1'))
  }
  return () =>
    new Promise((resolve) => {
      send ??= open()
      sequence = (sequence + 1) % 65_536
      const [packet, own] = [Buffer.alloc(header.bytes + payloadBytes), sequence]
      packet.writeUInt8(header.echoRequest, 0)
      packet.writeUInt16BE(own, header.sequenceAt)
      waiting.set(own, () => {
        waiting.delete(own)
        resolve()
      })
      send(packet)
    })
}
