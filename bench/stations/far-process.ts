import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T]
  return message
}

/** Milliseconds of CPU since the last time that it was asked. */
export async function cpuMsOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  return (await nextMessage<{ cpuMs: number }>(child)).cpuMs
}

/** The other end: answers `cpuMsOf`, and calls `ended` when nobody asks any more. */
export function answerCpu(ended: () => void): void {
  let before = process.cpuUsage()
  process.on('message', (message) => {
    if (message !== 'cpu') return
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1000 })
  })
  process.on('disconnect', () => {
    ended()
    process.exit(0)
  })
}
