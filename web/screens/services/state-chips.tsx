import { Icon } from '../../parts/icon.tsx'
import { useStateCounts } from '../../parts/state-counts.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { conditionsAsked, type ListAddress } from './list-address.ts'
import { servicesWords } from './words.ts'

/** States of the chips, the worst first. */
const states = ['failure', 'degraded', 'unknown', 'ok', 'suspended', 'paused'] as const
type Chip = (typeof states)[number]
const filter = 'status.summary'
const degradedFilter = 'status.is_degraded'

/** The chips whose services the conditions let through. */
function chipsIn(conditions: URLSearchParams): ReadonlySet<Chip> {
  const [summaries, degraded] = [conditions.getAll(filter), conditions.get(degradedFilter)]
  return new Set(
    states.filter((chip) => {
      if (chip === 'degraded') return degraded === 'true' || (degraded === null && summaries.includes('ok'))
      return summaries.includes(chip) && degraded !== 'true'
    }),
  )
}

/** The filters of these chips. Degraded ones beside others need the OK ones too: filters know no "or". */
function filtersOf(chips: ReadonlySet<Chip>): Readonly<Record<string, readonly string[]>> {
  const summaries = states.filter((chip) => chip !== 'degraded' && chips.has(chip))
  if (chips.has('degraded') && !chips.has('ok')) return { [filter]: [], [degradedFilter]: ['true'] }
  return { [filter]: summaries, [degradedFilter]: chips.has('ok') && !chips.has('degraded') ? ['false'] : [] }
}

function toggled(chips: ReadonlySet<Chip>, chip: Chip): ReadonlySet<Chip> {
  const after = new Set(chips)
  if (after.delete(chip)) return after
  after.add(chip)
  const isAlone = after.has('degraded') && !after.has('ok') && after.size > 1
  if (!isAlone) return after
  if (chip === 'degraded') return new Set([chip])
  after.delete('degraded')
  return after
}

/** How many services are in each state, each a filter. They count what the other conditions leave. */
export function StateChips({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const counts = useCounts(address.conditions)
  const chosen = chipsIn(address.conditions)
  const total = counts && states.reduce((sum, state) => sum + counts[state], 0)
  const choose = (chips: ReadonlySet<Chip>) => address.setAll(filtersOf(chips))
  return (
    <fieldset className="chips">
      <legend className="only-read">{words.filters}</legend>
      <button type="button" className="chip" aria-pressed={chosen.size === 0} onClick={() => choose(new Set())}>
        {words.all} <b>{total === undefined ? '' : format.number(total)}</b>
      </button>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          className={`chip ${state}${counts?.[state] === 0 ? ' none' : ''}`}
          aria-pressed={chosen.has(state)}
          title={parts.stateHints[state]}
          onClick={() => choose(toggled(chosen, state))}
        >
          <Icon name={state} />
          {parts.states[state]} <b>{counts === undefined ? '' : format.number(counts[state])}</b>
        </button>
      ))}
    </fieldset>
  )
}

/** Services by chip. Degraded ones are OK to the API; here each service is counted once. */
function useCounts(conditions: URLSearchParams): Readonly<Record<Chip, number>> | undefined {
  const others = conditionsAsked(conditions)
  for (const name of [filter, degradedFilter]) others.delete(name)
  const counts = useStateCounts(String(others))?.counts
  return counts && { ...counts, ok: counts.ok - counts.degraded }
}
