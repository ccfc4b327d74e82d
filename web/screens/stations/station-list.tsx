import { Ago } from '../../parts/ago.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { placeOf, type Station, type StationState, stateIcons } from './station.ts'
import type { ShownStation } from './station-map.tsx'
import { stationsWords } from './words.ts'

interface ListProps {
  readonly shown: readonly ShownStation[]
  readonly pointed: number | null
  readonly point: (id: number | null) => void
  /** Goes to it on the map. */
  readonly choose: (id: number) => void
  readonly categoryName: (id: string) => string
}

/** The stations one under another, with what each did lately. */
export function StationList({ shown, pointed, point, choose, categoryName }: ListProps) {
  const words = useWords(stationsWords)
  return (
    <ul className="station-list card">
      {shown.map(({ station, state }) => (
        <li
          key={station.id}
          id={`station-${station.id}`}
          tabIndex={-1}
          className={station.id === pointed ? 'pointed' : undefined}
          onPointerEnter={() => point(station.id)}
          onPointerLeave={() => point(null)}
          onFocus={() => point(station.id)}
          onBlur={() => point(null)}
        >
          <div className="spread">
            <h2>{station.name}</h2>
            <StateName state={state} />
          </div>
          <p className="dim row">
            <span>{placeOf(station) || words.noPlace}</span>
            {station.latitude === null ? null : (
              <button
                type="button"
                className="button plain small"
                aria-label={words.onMapName(station.name)}
                onClick={() => choose(station.id)}
              >
                {words.onMap}
              </button>
            )}
          </p>
          <Facts station={station} categoryName={categoryName} />
        </li>
      ))}
    </ul>
  )
}

const classes: Readonly<Record<StationState, string>> = {
  seen: 'state ok',
  older: 'state older',
  silent: 'state failure',
  never: 'state unknown',
}

function StateName({ state }: { readonly state: StationState }) {
  const words = useWords(stationsWords)
  return (
    <p className={classes[state]}>
      <Icon name={stateIcons[state]} />
      {words.states[state]}
    </p>
  )
}

function Facts({ station, categoryName }: { readonly station: Station } & Pick<ListProps, 'categoryName'>) {
  const words = useWords(stationsWords)
  const format = useFormat()
  const { recent_rounds: recent, last_seen_at: seen, ip_address: address, version = '' } = station
  return (
    <dl>
      <div>
        <dt>{words.seen}</dt>
        <dd>{seen === null ? words.never : <Ago moment={seen} />}</dd>
      </div>
      <div>
        <dt>{words.agreement}</dt>
        <dd>
          {recent?.agreement == null
            ? words.noRounds
            : words.agreed(format.percent(recent.agreement), format.number(recent.rounds ?? 0))}
        </dd>
      </div>
      <div>
        <dt>{words.lag}</dt>
        <dd>{recent?.lag == null ? words.noRounds : format.milliseconds(recent.lag)}</dd>
      </div>
      <div>
        <dt>{words.checks}</dt>
        <dd>{station.category_ids.map(categoryName).join(', ')}</dd>
      </div>
      {address === '' ? null : (
        <div>
          <dt>{words.address}</dt>
          <dd className="mono">{address}</dd>
        </div>
      )}
      {version === '' ? null : (
        <div>
          <dt>{words.version}</dt>
          <dd className="mono">{version}</dd>
        </div>
      )}
    </dl>
  )
}
