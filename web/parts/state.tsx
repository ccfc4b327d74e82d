import type { Summary } from '../api/answers.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './state.css'

/** A state as a word, an icon and a colour: never as a colour alone. */
export function State({ state, big = false }: { readonly state: Summary; readonly big?: boolean }) {
  const words = useWords(partWords)
  return (
    <span className={`state ${state}${big ? ' big' : ''}`}>
      <Icon name={state} />
      {words.states[state]}
    </span>
  )
}
