import { blocksOf, type StreamBlock } from '../../client/client.ts'
import { send } from '../api/client.ts'

interface ConnectionHandlers {
  /** Where the stream goes on after a drop. */
  readonly place: () => string | null
  /** It came to this place. */
  readonly reached: (place: string) => void
  readonly event: (name: string, data: unknown) => void
  readonly up: () => void
  readonly down: () => void
}

const firstPauseMs = 1000
const longestPauseMs = 10_000

/** Keeps the event stream open until the signal. After a drop it resumes, with growing random pauses. */
export async function keepConnected(handlers: ConnectionHandlers, signal: AbortSignal): Promise<void> {
  let pauseMs = firstPauseMs
  const take = ({ event, data, id }: StreamBlock) => {
    if (event !== '') handlers.event(event, JSON.parse(data))
    if (id !== null) handlers.reached(id)
  }
  while (!signal.aborted) {
    let began = false
    const up = () => {
      began = true
      handlers.up()
    }
    await listen(handlers.place(), take, up, signal).catch(() => undefined)
    if (signal.aborted) return
    if (began) pauseMs = firstPauseMs
    else handlers.down()
    await pause(pauseMs * (0.5 + Math.random() / 2), signal)
    // A server that restarts hangs up and is back at once: only what does not come back is a lost connection.
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
}

/** One stream from its beginning to its end. */
async function listen(
  from: string | null,
  take: (block: StreamBlock) => void,
  up: () => void,
  signal: AbortSignal,
): Promise<void> {
  const headers = from === null ? {} : { 'Last-Event-ID': from }
  const response = await send('/event_stream', { signal, headers })
  up()
  for await (const block of blocksOf(response)) take(block)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    // A user who returns to the tab does not wait.
    const look = () => (document.hidden ? undefined : done())
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', done, { once: true })
  })
}
