import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Refused, read, readByLink } from '../../api/client.ts'
import { useLiveState, usePace } from '../../live/live.ts'

const everyMs = 10_000

/** The present content. `token`: a link's; null: the logged-in user's. */
export function useBoard(token: string | null) {
  const { isConnected } = useLiveState()
  const pace = usePace(everyMs)
  const { data, error, refetch } = useQuery({
    queryKey: ['board', token],
    retry: false,
    // The event stream takes no token of a link.
    refetchInterval: token === null ? pace : everyMs,
    refetchIntervalInBackground: true,
    queryFn: ({ signal }) =>
      token === null ? read('/wallboard', signal) : readByLink(token, '/public/wallboard', signal),
  })
  // Without the stream only an answer says that the board is as it was.
  useEffect(() => {
    if (token === null && !isConnected) void refetch()
  }, [token, isConnected, refetch])
  // A link that was revoked shows nothing any more; what cannot be reached goes on being shown, with its time.
  const isGone = error instanceof Refused && error.status === 404
  return { board: isGone ? undefined : data, staleSince: error === null ? null : (data?.time ?? null), error, refetch }
}
