import { useId, useRef, useState } from 'react'
import type { StatusPage } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import type { usePagePreview } from './preview.tsx'
import { statusPageWords } from './words.ts'

export type Theme = StatusPage['theme']

interface LookProps {
  readonly theme: Theme
  /** Changes members of the theme, whatever changed meanwhile: a picture arrives seconds after it was chosen. */
  readonly set: (part: Partial<Theme>) => void
  readonly preview: ReturnType<typeof usePagePreview>
}

/** The accent and the logos of a page. */
export function LookFields({ theme, set, preview }: LookProps) {
  const words = useWords(statusPageWords)
  const hasLogo = theme.logo_artifact !== null || theme.logo_dark_artifact !== null
  return (
    <>
      <Accent theme={theme} set={set} preview={preview} />
      <LogoField
        label={words.logo}
        name="theme.logo_artifact"
        isSet={theme.logo_artifact !== null}
        set={(id) => set({ logo_artifact: id })}
      />
      <LogoField
        label={words.logoDark}
        name="theme.logo_dark_artifact"
        isSet={theme.logo_dark_artifact !== null}
        set={(id) => set({ logo_dark_artifact: id })}
      />
      {hasLogo ? (
        <TextField
          label={words.logoAlt}
          name="theme.logo_alt"
          hint={words.logoAltHint}
          value={theme.logo_alt}
          maxLength={200}
          set={(text) => set({ logo_alt: text })}
        />
      ) : null}
    </>
  )
}

const usualAccent = '#0b5c83'

function Accent({ theme, set, preview }: LookProps) {
  const words = useWords(statusPageWords)
  const accent = theme.accent ?? ''
  const isColor = /^#[0-9a-f]{6}$/i.test(accent)
  const moved = isColor ? preview.shown?.accents : undefined
  const unless = (shown: string | undefined) => (shown === accent.toLowerCase() ? undefined : shown)
  const change = (text: string) => set({ accent: text.trim() === '' ? null : text.trim() })
  return (
    <div className="accent">
      <TextField
        label={words.accent}
        name="theme.accent"
        hint={words.accentHint(unless(moved?.light), unless(moved?.dark))}
        value={accent}
        maxLength={7}
        set={change}
      />
      <input
        type="color"
        aria-label={words.pickAccent}
        value={isColor ? accent.toLowerCase() : usualAccent}
        onChange={({ target }) => change(target.value)}
      />
    </div>
  )
}

const mostBytes = 100 * 1024

interface LogoProps {
  readonly label: string
  readonly name: string
  readonly isSet: boolean
  readonly set: (id: string | null) => void
}

/** A picture is kept as soon as it is chosen, and shown once the page is saved. */
function LogoField({ label, name, isSet, set }: LogoProps) {
  const words = useWords(statusPageWords)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setProblem(file.size > mostBytes ? words.logoTooLarge : '')
    if (file.size > mostBytes) return
    setSending(true)
    try {
      const made = await change('POST', '/status_page_logos', {
        content: await base64Of(file),
      })
      set(made.id)
    } catch (error) {
      setProblem(error instanceof Error && error.message !== '' ? error.message : words.logoFailed)
    } finally {
      setSending(false)
    }
  }
  return (
    <div className="field" data-field={name}>
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input
          id={id}
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
        {isSet ? (
          <button
            type="button"
            className="button small"
            aria-label={words.removeLogo(label)}
            onClick={() => {
              if (input.current !== null) input.current.value = ''
              setProblem('')
              set(null)
            }}
          >
            {words.withoutLogo}
          </button>
        ) : null}
      </div>
      <span id={`${id}-hint`} className="hint">
        {isSending ? words.logoSending : isSet ? words.logoSet : words.logoHint}
      </span>
      <span id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </span>
    </div>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
