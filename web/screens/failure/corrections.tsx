import { useQuery } from '@tanstack/react-query'
import { readPage } from '../../api/client.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

/** How the time of this failure counts otherwise than it was judged. */
export function Corrections({ serviceId, change }: { readonly serviceId: number; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['corrections', serviceId, change.change_id],
    queryFn: ({ signal }) => readPage(`/corrections?service_id=${serviceId}&sort=start_time&limit=1000`, signal),
  })
  const end = change.end_time === null ? Number.POSITIVE_INFINITY : Date.parse(change.end_time)
  const touching = (data?.rows ?? []).filter(
    ({ start_time, end_time }) => Date.parse(start_time) < end && Date.parse(end_time) > Date.parse(change.start_time),
  )
  if (touching.length === 0) return null
  return (
    <section className="card" aria-labelledby="corrections">
      <header>
        <h2 id="corrections">{words.corrections}</h2>
      </header>
      <ul className="inside corrections">
        {touching.map(({ id, status, start_time, end_time, description }) => (
          <li key={id}>
            {words.correctionOf(words.states2[status], format.moment(start_time), format.moment(end_time))}
            {description === '' ? null : <span className="hint"> {description}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
