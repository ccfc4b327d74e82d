import { useQueries } from '@tanstack/react-query'
import type { Summary } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { Icon } from '../../parts/icon.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { conditionsAsked, type ListAddress } from './list-address.ts'
import { servicesWords } from './words.ts'

const states: readonly Summary[] = ['failure', 'unknown', 'ok', 'suspended', 'paused']
const everyMs = 10_000
const filter = 'status.summary'
const degradedFilter = 'status.is_degraded'
const degradedOnly = ['true'] as const

/** How many services are in each state, each a filter. They count what the other conditions leave. */
export function StateChips({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const counts = useCounts(address.conditions, filter, states)
  const chosen = address.conditions.getAll(filter)
  const total = counts.some((count) => count === undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return (
    <fieldset className="chips">
      <legend className="only-read">{words.filters}</legend>
      <button type="button" className="chip" aria-pressed={chosen.length === 0} onClick={() => address.set(filter)}>
        {words.all} <b>{total === undefined ? '' : format.number(total)}</b>
      </button>
      {states.map((state, at) => {
        const isChosen = chosen.includes(state)
        const others = chosen.filter((other) => other !== state)
        return (
          <button
            key={state}
            type="button"
            className={`chip ${state}${counts[at] === 0 ? ' none' : ''}`}
            aria-pressed={isChosen}
            title={parts.stateHints[state]}
            onClick={() => address.set(filter, ...(isChosen ? others : [...others, state]))}
          >
            <Icon name={state} />
            {parts.states[state]} <b>{counts[at] === undefined ? '' : format.number(counts[at])}</b>
          </button>
        )
      })}
      <DegradedChip address={address} />
    </fieldset>
  )
}

/** Services that work, but not well: a part of those that are OK, with a filter of its own. */
function DegradedChip({ address }: { readonly address: ListAddress }) {
  const parts = useWords(partWords)
  const format = useFormat()
  const [count] = useCounts(address.conditions, degradedFilter, degradedOnly)
  const isChosen = address.conditions.get(degradedFilter) === 'true'
  return (
    <button
      type="button"
      className={`chip degraded${count === 0 ? ' none' : ''}`}
      aria-pressed={isChosen}
      title={parts.stateHints.degraded}
      onClick={() => address.set(degradedFilter, ...(isChosen ? [] : degradedOnly))}
    >
      <Icon name="degraded" />
      {parts.states.degraded} <b>{count === undefined ? '' : format.number(count)}</b>
    </button>
  )
}

function useCounts(
  conditions: URLSearchParams,
  filter: string,
  values: readonly string[],
): readonly (number | undefined)[] {
  const others = conditionsAsked(conditions)
  others.delete(filter)
  others.set('fields', 'id')
  others.set('limit', '0')
  const refetchInterval = usePace(everyMs)
  return useQueries({
    queries: values.map((value) => {
      const path = `/services?${others}&${filter}=${value}`
      return {
        queryKey: ['services', 'count', path],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await readPage(path, signal)).total,
        refetchInterval,
      }
    }),
  }).map(({ data }) => data)
}
