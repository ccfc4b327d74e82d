import type { ServiceStatus, Summary } from '../api/answers.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './state.css'

/** The summary, and the state between ok and failure that is no summary of the API. */
export type ShownState = Summary | 'degraded'

export function shownState({ summary, is_degraded }: Pick<ServiceStatus, 'summary' | 'is_degraded'>): ShownState {
  return summary === 'ok' && is_degraded ? 'degraded' : summary
}

interface StateProps {
  readonly state: ShownState
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
