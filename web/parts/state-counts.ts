import { useQuery } from '@tanstack/react-query'
import type { StateCounts } from '../api/answers.ts'
import { read } from '../api/client.ts'
import { usePace } from '../live/live.ts'
import { restAfter } from '../live/read-again.ts'

const everyMs = 15_000

interface CountedStates {
  readonly counts: StateCounts
  /** When the server was asked; Unix milliseconds. */
  readonly askedAt: number
  readonly tookMs: number
}

interface Choice {
  readonly isEnabled?: boolean
  /** Also while the tab is not looked at. */
  readonly inBackground?: boolean
}

/** How many services that meet the conditions are in each state. All that show the same numbers share one reading. */
export function useStateCounts(
  conditions: string,
  { isEnabled = true, inBackground = false }: Choice = {},
): CountedStates | undefined {
  const path = `/services/state_counts?${conditions}` as const
  const pace = usePace(everyMs)
  const { data } = useQuery({
    enabled: isEnabled,
    queryKey: ['services', 'count', path],
    queryFn: async ({ signal }): Promise<CountedStates> => {
      const [askedAt, beganAt] = [Date.now(), performance.now()]
      const counts = await read(path, signal)
      return { counts, askedAt, tookMs: performance.now() - beganAt }
    },
    // Counting very many services takes the server long.
    refetchInterval: ({ state: { data: counted } }) => Math.max(pace, restAfter(counted?.tookMs ?? 0)),
    refetchIntervalInBackground: inBackground,
  })
  return data
}

/** The services of all states together. Degraded ones are among those that are OK. */
export function totalOf({ degraded: _, ...counts }: StateCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
