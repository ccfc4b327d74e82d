import { Link } from 'wouter'
import { useWords } from '../../words/words.ts'
import { Icon } from '../icon.tsx'
import { useServiceName } from './queries.ts'
import { dependWords } from './words.ts'
import './depend.css'

interface HeldProps {
  /** The failed service that holds the notifications. */
  readonly by: number
}

function Holder({ by }: HeldProps) {
  const words = useWords(dependWords)
  const name = useServiceName(by)
  return name == null ? words.other(by) : <Link href={`/services/${by}`}>{name}</Link>
}

/** Nobody is notified of the failure while another service has failed. */
export function HeldNotice({ by }: HeldProps) {
  const words = useWords(dependWords)
  return (
    <p className="notice row">
      <Icon name="silent" />
      <span>
        {words.heldBy} <Holder by={by} />
      </span>
    </p>
  )
}

/** The same in a row of a list. */
export function HeldMark({ by }: HeldProps) {
  const words = useWords(dependWords)
  const name = useServiceName(by)
  const text = `${words.heldShort} ${name ?? words.other(by)}`
  return (
    <span className="held" title={text}>
      <Icon name="silent" />
      <span className="held-name">{text}</span>
    </span>
  )
}
