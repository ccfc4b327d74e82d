import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Unreachable } from '../api/client.ts'
import { onLive, useLiveState } from '../live/live.ts'
import { Icon } from '../parts/icon.tsx'
import { useFormat } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { shellWords } from './words.ts'

/** Says that the server cannot be reached, and how old what is shown is. */
export function ConnectionNotice() {
  const lost = useLostSince()
  const { lostSince } = useLiveState()
  const since = lostSince ?? lost
  const words = useWords(shellWords)
  const format = useFormat()
  return (
    <div role="status">
      {since === null ? null : (
        <p className="connection-notice">
          <Icon name="warning" />
          {words.offline(`${format.clock(new Date(since).toISOString())} (${format.zone})`)}
        </p>
      )}
    </div>
  )
}

/** When an answer last came, once one did not; null while there is a connection. Unix milliseconds. */
function useLostSince(): number | null {
  const cache = useQueryClient().getQueryCache()
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    let heardAt = Date.now()
    const quiet = onLive(() => {
      heardAt = Date.now()
      setSince(null)
    })
    const leave = cache.subscribe(({ type, query }) => {
      if (type !== 'updated') return
      const { dataUpdatedAt, fetchFailureReason, status } = query.state
      if (fetchFailureReason instanceof Unreachable) setSince(heardAt)
      else if (status === 'success' && dataUpdatedAt >= heardAt) {
        heardAt = dataUpdatedAt
        setSince(null)
      }
    })
    return () => {
      quiet()
      leave()
    }
  }, [cache])
  return since
}
