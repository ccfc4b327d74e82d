import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './notices.css'

/** Who may see a screen of the installation, for somebody who may not. */
export function OnlyAdministrators() {
  const words = useWords(partWords)
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <p>{words.onlyAdministrators}</p>
    </div>
  )
}
