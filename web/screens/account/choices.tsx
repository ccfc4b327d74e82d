import { ChoiceField } from '../../parts/fields.tsx'
import { useReader } from '../../reader.tsx'
import { type Language, useWords } from '../../words/words.ts'
import { accountWords } from './words.ts'

const themes = ['system', 'light', 'dark'] as const
const languages = ['browser', 'en', 'pl'] as const

/** How the console looks for its reader. */
export function Choices() {
  const words = useWords(accountWords)
  const { preferences, choose } = useReader()
  return (
    <section className="card">
      <header>
        <h2>{words.console}</h2>
      </header>
      <div className="inside stack">
        <ChoiceField
          label={words.language}
          name="language"
          value={preferences.language ?? 'browser'}
          options={languages.map((id) => ({ id, name: words.languages[id] }))}
          set={(chosen) => choose({ language: chosen === 'browser' ? null : (chosen as Language) })}
        />
        <ChoiceField
          label={words.theme}
          name="theme"
          value={preferences.theme}
          options={themes.map((id) => ({ id, name: words.themes[id] }))}
          set={(chosen) => choose({ theme: themes.find((theme) => theme === chosen) ?? 'system' })}
        />
      </div>
    </section>
  )
}
