import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './state.css'

/** Somebody knows of the failure: a word and an icon beside its state. */
export function Acknowledged() {
  const words = useWords(partWords)
  return (
    <span className="acknowledged">
      <Icon name="seen" />
      {words.acknowledged}
    </span>
  )
}
