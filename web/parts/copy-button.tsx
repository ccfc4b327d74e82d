import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { asCodeWords } from './as-code-words.ts'
import { Icon } from './icon.tsx'

interface CopyProps {
  readonly text: string
  /** Default: that it copies. */
  readonly label?: string
  /** The name of the text, where several buttons stand beside each other. */
  readonly what?: string
  /** As large as the other buttons of its row. */
  readonly isLarge?: boolean
}

/** Copies a text, and says whether the browser let it. */
export function CopyButton({ text, label, what, isLarge = false }: CopyProps) {
  const words = useWords(asCodeWords)
  const [said, setSaid] = useState('')
  return (
    <>
      <button
        type="button"
        className={isLarge ? 'button' : 'button small'}
        aria-label={what === undefined ? undefined : `${label ?? words.copy}: ${what}`}
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
        {label ?? words.copy}
      </button>
      <span role="status" className="hint">
        {said}
      </span>
    </>
  )
}
