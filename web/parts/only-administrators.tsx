import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './notices.css'

/** Says that a screen is for administrators of the installation, to others. */
export function OnlyAdministrators() {
  const words = useWords(partWords)
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <p>{words.onlyAdministrators}</p>
    </div>
  )
}
