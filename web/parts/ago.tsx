import { useSyncExternalStore } from 'react'
import { useFormat } from '../reader.tsx'

const everyMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all moments of the page. */
function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const listener of listeners) listener()
  }, everyMs)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A moment by its distance from now; the whole moment when pointed at. */
export function Ago({ moment }: { readonly moment: string }) {
  const format = useFormat()
  const at = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={moment} title={`${format.moment(moment)} (${format.zone})`}>
      {format.ago(moment, Math.max(at, Date.parse(moment)))}
    </time>
  )
}
