import { Icon } from '../../parts/icon.tsx'
import {
  nameOf,
  type ShownContact,
  type ShownRotation,
  type ShownTurn,
  useTurns,
} from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { TurnPicture } from './turn-picture.tsx'

interface DutyProps {
  readonly rotations: readonly ShownRotation[]
  readonly contacts: readonly ShownContact[]
}

/** The pictures of more rotations than these are opened one by one. */
const drawnAtOnce = 3

/** The contact on duty in each rotation, and those who follow. */
export function OnDuty({ rotations, contacts }: DutyProps) {
  const words = useWords(onCallWords)
  const turns = useTurns(rotations)
  return (
    <section className="card" aria-labelledby="on-duty">
      <header>
        <h2 id="on-duty">{words.onDuty}</h2>
      </header>
      <dl className="duties">
        {rotations.map((rotation, index) => {
          const { data: shown } = turns[index] ?? {}
          return (
            <div key={rotation.id}>
              <dt>{rotation.name}</dt>
              <dd>{shown === undefined ? null : <Now turns={shown} contacts={contacts} />}</dd>
              {shown === undefined ? null : (
                <dd className="turn-dates">
                  <TurnPicture {...{ rotation, contacts }} turns={shown} isOpen={rotations.length <= drawnAtOnce} />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
    </section>
  )
}

interface NowProps {
  readonly turns: readonly ShownTurn[]
  readonly contacts: readonly ShownContact[]
}

function Now({ turns: [now, next], contacts }: NowProps) {
  const words = useWords(onCallWords)
  const format = useFormat()
  const nameIn = ({ contact_id: id }: ShownTurn) => (id === null ? words.nobodyOnDuty : nameOf(contacts, id))
  if (now === undefined) return null
  return (
    <>
      {now.contact_id === null ? (
        <b className="nobody">
          <Icon name="warning" />
          {words.nobodyOnDuty}
        </b>
      ) : (
        <b>{nameIn(now)}</b>
      )}
      {now.end_time === null ? null : (
        <span className="dim">
          {' '}
          {words.until(format.moment(now.end_time))}
          {next === undefined ? null : `, ${words.thenOnDuty(nameIn(next))}`}
        </span>
      )}
    </>
  )
}
