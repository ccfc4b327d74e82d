import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { jobFrames, wireJob } from '../../src/sensor/far/wire-jobs.ts'
import { jobNumber, stepMs } from './asking.ts'
import { exampleResult } from './example-result.ts'
import { cpuMsOf } from './far-process.ts'

/** The cost of the same traffic without any content to read or write: the same bytes each way, in as many frames. */
export async function bareFrames({ jobsPerSecond, seconds }: { jobsPerSecond: number; seconds: number }) {
  const perStep = (jobsPerSecond * stepMs) / 1000
  const jobs = Array.from({ length: perStep }, () => wireJob('x'.repeat(17), jobNumber(1, 1, 'shop.example.com/cart')))
  const [frame = ''] = jobFrames(jobs, true)
  const out = 'x'.repeat(frame.length)
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const backBytes = JSON.stringify(exampleResult('x'.repeat(17))).length * perStep
  const far = fork(new URL('./bare-end.ts', import.meta.url), [`ws://127.0.0.1:${port}`, String(backBytes)])
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  let heard = 0
  socket.on('message', (data) => {
    heard += data.toString().length
  })
  await cpuMsOf(far)
  const before = process.cpuUsage()
  const startedAt = performance.now()
  for (let sent = 0; sent < (seconds * 1000) / stepMs; ) {
    for (; sent < (performance.now() - startedAt) / stepMs; sent++) socket.send(out)
    await pause(stepMs)
  }
  const { user, system } = process.cpuUsage(before)
  const thereMs = await cpuMsOf(far)
  if (heard === 0) throw new Error('nothing came back')
  far.disconnect()
  server.close()
  return { hereMs: (user + system) / 1000, thereMs }
}
