import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { read } from '../../api/client.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'
import { serviceWords } from './words.ts'

/** In how long the service is checked again; nothing while its monitoring is stopped. */
export function NextCheck({ service }: { readonly service: ShownService }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { id, interval, is_active: isActive, status } = service
  const { data } = useQuery({
    // Each round, and each change of what decides it, brings another moment.
    queryKey: ['next_analysis', id, interval, isActive, status?.monitoring_status, status?.last_analysis_time],
    queryFn: ({ signal }) => read(`/services/${id}/next_analysis`, signal),
  })
  const time = data?.time ?? null
  const now = useSeconds(time !== null)
  if (time === null) return null
  const seconds = Math.ceil((Date.parse(time) - now) / 1000)
  return (
    <time dateTime={time} title={`${format.moment(time)} (${format.zone})`}>
      , {seconds > 0 ? words.nextCheck(format.duration(seconds)) : words.nextCheckNow}
    </time>
  )
}

function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
