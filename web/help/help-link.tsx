import { useLocation } from 'wouter'
import { prefix } from '../api/prefix.ts'
import { Icon } from '../parts/icon.tsx'
import { useReader } from '../reader.tsx'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/words.ts'
import { helpPage } from './help-pages.ts'

/** Leads to the document that explains the open screen. */
export function HelpLink() {
  const words = useWords(shellWords)
  const [place] = useLocation()
  const page = helpPage(place, useReader().language)
  return (
    <a className="help" href={`${prefix}/docs/${page}`} title={words.helpHint}>
      <Icon name="unknown" />
      <span>{words.help}</span>
    </a>
  )
}
