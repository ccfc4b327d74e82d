import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { TellStep } from './tell-step.tsx'
import { WatchStep } from './watch-step.tsx'
import { welcomeWords } from './words.ts'

const languages = ['en', 'pl'] as const

/** The first minutes: a service that is judged while one looks, and an address that gets a test message. */
export function WelcomeScreen() {
  const words = useWords(welcomeWords)
  const { account, language, choose } = useReader()
  const [, navigate] = useLocation()
  const [isWatched, setWatched] = useState(false)
  const [isTold, setTold] = useState(false)
  useEffect(() => showTitle(words.title), [words])
  const markWatched = useCallback(() => setWatched(true), [])
  const markTold = useCallback(() => setTold(true), [])
  const leave = () => {
    choose({ isWelcomed: true })
    navigate('/services')
  }
  return (
    <div className="welcome stack">
      <div className="spread">
        <h1>{words.title}</h1>
        <fieldset className="row languages">
          <legend className="only-read">{words.language}</legend>
          {languages.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              className="button small"
              aria-pressed={one === language}
              onClick={() => choose({ language: one })}
            >
              {words.languages[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <p>{words.intro}</p>
      {account.is_read_only ? (
        <p role="alert">{words.forbidden}</p>
      ) : (
        <>
          <Step number={1} title={words.watch} isDone={isWatched}>
            <WatchStep onJudged={markWatched} />
          </Step>
          <Step number={2} title={words.tell} isDone={isTold}>
            <TellStep onTold={markTold} />
          </Step>
        </>
      )}
      <div className="row">
        <button type="button" className={`button${isWatched && isTold ? ' primary' : ''}`} onClick={leave}>
          {isWatched || isTold ? words.finish : words.skip}
        </button>
      </div>
    </div>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

function Step({ number, title, isDone, children }: StepProps) {
  const words = useWords(welcomeWords)
  return (
    <section className="card" aria-labelledby={`step-${number}`}>
      <header>
        <h2 id={`step-${number}`}>
          <span className="step">{words.step(number)}</span> {title}
        </h2>
        {isDone ? (
          <span className="state ok">
            <Icon name="ok" /> {words.done}
          </span>
        ) : null}
      </header>
      <div className="inside stack">{children}</div>
    </section>
  )
}
