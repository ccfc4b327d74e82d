import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readPage } from '../api/client.ts'
import { usePace } from '../live/live.ts'
import { useReader } from '../reader.tsx'
import { showFailingCount } from './favicon.ts'

const everyMs = 15_000

/** How many services fail now; the title and the icon of the tab say so too. */
export function useFailingCount(): number {
  const { isAdministrator } = useReader()
  const { data = 0 } = useQuery({
    enabled: !isAdministrator,
    queryKey: ['services', 'failing'],
    queryFn: async ({ signal }) =>
      (await readPage('/services?status.summary=failure&is_archived=false&fields=id&limit=0', signal)).total,
    refetchInterval: usePace(everyMs),
    refetchIntervalInBackground: true,
  })
  useEffect(() => showFailingCount(data), [data])
  return data
}
