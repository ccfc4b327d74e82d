import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { asCodeWords } from './as-code-words.ts'
import { Icon } from './icon.tsx'

/** Copies a text, and says whether the browser let it. */
export function CopyButton({ text }: { readonly text: string }) {
  const words = useWords(asCodeWords)
  const [said, setSaid] = useState('')
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={() => {
          // Without TLS browsers have no clipboard at all.
          const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
          copied.then(
            () => setSaid(words.copied),
            () => setSaid(words.failed),
          )
        }}
      >
        <Icon name="copy" />
        {words.copy}
      </button>
      <span role="status" className="hint">
        {said}
      </span>
    </>
  )
}
