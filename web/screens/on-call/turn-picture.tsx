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

/** The turns of the next weeks, drawn and as a table. */
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
      <div className="weeks" aria-hidden="true">
        {weeksOf(turns, zone, weeksShown).map((week, index) => (
          <WeekRow key={week.days[0]} week={week} isFirst={index === 0} {...{ name, look }} />
        ))}
      </div>
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

interface WeekProps {
  readonly week: Week
  readonly isFirst: boolean
  readonly name: (turn: ShownTurn) => string
  readonly look: (turn: ShownTurn) => string
}

function WeekRow({ week: { days, pieces }, isFirst, name, look }: WeekProps) {
  const format = useFormat()
  return (
    <div className="week">
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
            className={`piece ${look(turn)}`}
            style={{ left: `${left * 100}%`, width: `calc(${width * 100}% - 1px)` }}
            title={name(turn)}
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
