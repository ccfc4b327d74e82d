import { Link } from 'wouter'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

export function NotFound() {
  const words = useWords(partWords)
  return (
    <div className="stack">
      <h1>{words.notFound}</h1>
      <p>{words.notFoundHint}</p>
      <p>
        <Link href="/services">{words.toServices}</Link>
      </p>
    </div>
  )
}
