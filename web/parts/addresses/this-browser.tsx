import { useState } from 'react'
import type { NoPush } from '../../push/subscribe.ts'
import { useWords } from '../../words/words.ts'
import type { Settings } from './channel-fields.tsx'
import { notificationsWords } from './words.ts'

interface ThisBrowserProps {
  readonly settings: Settings
  readonly set: (settings: Settings) => void
}

/** In place of fields that nobody could type: the browser fills them in. */
export function ThisBrowser({ settings, set }: ThisBrowserProps) {
  const words = useWords(notificationsWords).push
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<NoPush | null>(null)
  const isReady = typeof settings['endpoint'] === 'string'

  async function ask(): Promise<void> {
    setAsking(true)
    setProblem(null)
    const { subscribe } = await import('../../push/subscribe.ts')
    const answer = await subscribe()
    setAsking(false)
    if (typeof answer === 'string') setProblem(answer)
    else set(answer)
  }
  return (
    <div className="field" data-field="settings.endpoint">
      <p className="hint">{words.about}</p>
      <button type="button" className="button" disabled={isAsking} onClick={() => void ask()}>
        {isAsking ? words.asking : words.ask}
      </button>
      <span role="status" className={problem === null ? 'hint' : 'problem'}>
        {problem === null ? (isReady ? words.ready : '') : words.problems[problem]}
      </span>
    </div>
  )
}
