const beatMs = 1000
/** Without a beat for so long there is no leader. Browsers let the timers of hidden tabs run once a second at most. */
const deadMs = 4000

/**
 * Runs the work in one tab of the browser, because HTTP/1.1 allows six connections to a server. Browsers offer locks
 * only to pages from TLS or from this machine. Elsewhere the leader announces itself with a heartbeat.
 */
export function leadInOneTab(name: string, work: (signal: AbortSignal) => Promise<void>): () => void {
  const control = new AbortController()
  const { signal } = control
  if ('locks' in navigator) {
    navigator.locks.request(name, { signal }, () => work(signal)).catch(() => undefined)
  } else void leadByBeats(name, work, signal)
  return () => control.abort()
}

async function leadByBeats(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
  const channel = new BroadcastChannel(`${name} beats`)
  const me = Math.random()
  let leading: AbortController | null = null
  let watch = 0
  const lead = () => {
    leading = new AbortController()
    channel.postMessage(me)
    void work(leading.signal)
  }
  const wait = () => {
    clearTimeout(watch)
    watch = setTimeout(lead, deadMs * (0.5 + Math.random() / 2))
  }
  channel.onmessage = ({ data }: MessageEvent<number>) => {
    // Two may begin at the same moment: the lower number goes on.
    if (leading !== null && data > me) return
    leading?.abort()
    leading = null
    wait()
  }
  const beats = setInterval(() => (leading === null ? undefined : channel.postMessage(me)), beatMs)
  signal.addEventListener('abort', () => {
    clearTimeout(watch)
    clearInterval(beats)
    leading?.abort()
    channel.close()
  })
  wait()
}
