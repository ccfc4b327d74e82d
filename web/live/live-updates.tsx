import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followLogOut } from '../api/session.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { eventApplier } from './apply-events.ts'
import { onLive, startLive } from './live.ts'
import { liveWords } from './words.ts'

/** New failures are told together, so that an outage is one sentence. */
const gatherMs = 2000
const silentAfterMs = 20_000

/** Follows the events while somebody is logged in, and reads new failures out. */
export function LiveUpdates() {
  const client = useQueryClient()
  const { account, isAdministrator } = useReader()
  const words = useWords(liveWords)
  const count = useNewFailures()
  useEffect(() => {
    // Administrators own nothing that events tell of, and are refused the stream.
    if (isAdministrator) return
    const quiet = onLive(eventApplier(client))
    const stop = startLive(account.id)
    return () => {
      stop()
      quiet()
    }
  }, [client, account.id, isAdministrator])
  useEffect(followLogOut, [])
  return (
    <p className="only-read" aria-live="polite">
      {count === 0 ? '' : words.newFailures(count)}
    </p>
  )
}

/** How many failures began a moment ago. */
function useNewFailures(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let [begun, timer, silence] = [0, 0, 0]
    const tell = () => {
      setCount(begun)
      begun = timer = 0
      clearTimeout(silence)
      silence = setTimeout(() => setCount(0), silentAfterMs)
    }
    const quiet = onLive((event, data) => {
      if (event !== 'status_change' || (data as { readonly status: string }).status !== 'failure') return
      begun += 1
      if (timer === 0) timer = setTimeout(tell, gatherMs)
    })
    return () => {
      quiet()
      clearTimeout(timer)
      clearTimeout(silence)
    }
  }, [])
  return count
}
