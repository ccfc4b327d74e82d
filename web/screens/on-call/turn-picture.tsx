import { useState } from 'react'
import { nameOf, type ShownContact, type ShownRotation, type ShownTurn } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type Piece, type Week, weeksOf } from './turn-weeks.ts'
import './turn-picture.css'

const weeksShown = 4
/** The seventh contact has the color of the first one again; names tell them apart. */
const colors = 6

interface PictureProps {
  readonly rotation: ShownRotation
  readonly turns: readonly ShownTurn[]
  readonly contacts: readonly ShownContact[]
  readonly isOpen: boolean
}

/** The turns of the next weeks, drawn and as a table. Short turns have no room for a name: each can be read below. */
export function TurnPicture({ rotation, turns, contacts, isOpen }: PictureProps) {
  const words = useWords(onCallWords)
  const { zone } = useFormat()
  const people = [...new Set([...rotation.contact_ids, ...rotation.overrides.map(({ contact_id: id }) => id)])]
  const name = ({ contact_id: id }: ShownTurn) => (id === null ? words.nobodyOnDuty : nameOf(contacts, id))
  const look = ({ contact_id: id, is_override: isOverride }: ShownTurn) =>
    `${id === null ? 'vacant' : `person-${people.indexOf(id) % colors}`}${isOverride ? ' replaced' : ''}`
  return (
    <details className="turn-picture" open={isOpen}>
      <summary aria-label={words.nextWeeksOf(rotation.name)}>{words.nextWeeks}</summary>
      <Weeks {...{ rotation, turns, name, look }} />
      <p className="hint row">
        {turns.some(({ is_override: isOverride }) => isOverride) ? (
          <span className="row">
            <span className="piece replaced sample" aria-hidden="true" />
            {words.replacement}
          </span>
        ) : null}
        {zone}
      </p>
      <details>
        <summary aria-label={words.turnsListOf(rotation.name)}>{words.turnsList}</summary>
        <TurnTable turns={turns} name={name} />
      </details>
    </details>
  )
}

interface Drawn {
  readonly name: (turn: ShownTurn) => string
  readonly look: (turn: ShownTurn) => string
}

interface WeeksProps extends Drawn {
  readonly rotation: ShownRotation
  readonly turns: readonly ShownTurn[]
}

/** The turn under the pointer, or the one that the arrow keys chose, is told in words. */
function Weeks({ rotation, turns, name, look }: WeeksProps) {
  const words = useWords(onCallWords)
  const { zone } = useFormat()
  const [at, setAt] = useState<number | null>(null)
  const keys = new Map([
    ['ArrowLeft', () => setAt(Math.max(0, (at ?? turns.length) - 1))],
    ['ArrowRight', () => setAt(Math.min(turns.length - 1, (at ?? -1) + 1))],
    ['Home', () => setAt(0)],
    ['End', () => setAt(turns.length - 1)],
    ['Escape', () => setAt(null)],
  ])
  const chosen = at === null ? undefined : turns[at]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture that the arrow keys read, turn by turn, is no fieldset */}
      <div
        className="weeks"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        role="group"
        aria-label={`${words.nextWeeksOf(rotation.name)}. ${words.turnsHint}`}
        onKeyDown={(event) => {
          const act = keys.get(event.key)
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
        onBlur={() => setAt(null)}
        onPointerOver={({ target }) => setAt(turnUnder(target))}
        // A finger leaves as soon as it is lifted.
        onPointerLeave={({ pointerType }) => (pointerType === 'mouse' ? setAt(null) : undefined)}
      >
        {weeksOf(turns, zone, weeksShown).map((week, index) => (
          <WeekRow key={week.days[0]} week={week} isFirst={index === 0} {...{ turns, chosen, name, look }} />
        ))}
      </div>
      <p className="readout" aria-live="polite">
        {chosen === undefined ? <span className="hint">{words.turnsHint}</span> : <Told turn={chosen} name={name} />}
      </p>
    </>
  )
}

/** The place in the list of the turn whose piece is there. Null: between the pieces. */
function turnUnder(target: EventTarget): number | null {
  const piece = target instanceof Element ? target.closest<HTMLElement>('[data-turn]') : null
  return piece === null ? null : Number(piece.dataset['turn'])
}

function Told({ turn, name }: { readonly turn: ShownTurn; readonly name: Drawn['name'] }) {
  const words = useWords(onCallWords)
  const format = useFormat()
  const { start_time: from, end_time: to } = turn
  return (
    <>
      <b>{name(turn)}</b>
      {turn.is_override ? ` ${words.asReplacement}` : null} {format.shortMoment(from)} –{' '}
      {to === null ? null : format.shortMoment(to)}
    </>
  )
}

interface WeekProps extends Drawn {
  readonly week: Week
  readonly isFirst: boolean
  readonly turns: readonly ShownTurn[]
  readonly chosen: ShownTurn | undefined
}

function WeekRow({ week: { days, pieces }, isFirst, turns, chosen, name, look }: WeekProps) {
  const format = useFormat()
  return (
    <div className="week" aria-hidden="true">
      <div className="days">
        {days.map((date, index) => (
          <span key={date}>
            {isFirst ? <span className="weekday">{format.weekday(date)}</span> : null}
            {index === 0 || date.endsWith('-01') ? format.dayOfMonth(date) : Number(date.slice(-2))}
          </span>
        ))}
      </div>
      <div className="pieces">
        {pieces.map(({ turn, left, width }: Piece) => (
          <span
            key={turn.start_time}
            className={`piece ${look(turn)}${turn === chosen ? ' chosen' : ''}`}
            data-turn={turns.indexOf(turn)}
            style={{ left: `${left * 100}%`, width: `calc(${width * 100}% - 1px)` }}
          >
            <span>{name(turn)}</span>
          </span>
        ))}
      </div>
    </div>
  )
}

interface TableProps {
  readonly turns: readonly ShownTurn[]
  readonly name: (turn: ShownTurn) => string
}

/** Each turn ends where the next one begins. */
function TurnTable({ turns, name }: TableProps) {
  const words = useWords(onCallWords)
  const format = useFormat()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{words.from}</th>
          <th scope="col">{words.onDutyThen}</th>
        </tr>
      </thead>
      <tbody>
        {turns.map((turn) => (
          <tr key={turn.start_time}>
            <td>{format.dayMoment(turn.start_time)}</td>
            <td>
              {name(turn)}
              {turn.is_override ? <span className="dim"> {words.asReplacement}</span> : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
