import type { Summary } from '../api/answers.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './state.css'

interface StateProps {
  readonly state: Summary
  /** Where it is time that is spoken of, not a service. */
  readonly word?: string | undefined
  readonly big?: boolean
}

/** A state as a word, an icon and a colour: never as a colour alone. */
export function State({ state, word, big = false }: StateProps) {
  const words = useWords(partWords)
  return (
    <span
      className={`state ${state}${big ? ' big' : ''}`}
      title={word === undefined ? words.stateHints[state] : undefined}
    >
      <Icon name={state} />
      {word ?? words.states[state]}
    </span>
  )
}
