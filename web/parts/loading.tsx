import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'
import './notices.css'

/** Shown after a moment: what comes quickly does not flicker. */
export function Loading({ what }: { readonly what: string }) {
  const words = useWords(partWords)
  return (
    <p className="loading" role="status">
      {words.loading(what)}
    </p>
  )
}
