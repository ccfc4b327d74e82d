import { catalogue, useWords } from '../words/words.ts'
import './managed.css'

const managedWords = catalogue({
  en: {
    mark: (by: string, key: string) => `Managed as code: ${by}, ${key}`,
    changed: (by: string) =>
      `This is managed as code (${by}). The next apply of its files overwrites what they say; change the files too.`,
    removed: (by: string) =>
      `This is managed as code (${by}). The next apply of its files makes it again, without its history; take it out of the files too.`,
  },
  pl: {
    mark: (by: string, key: string) => `Zarządzane jako kod: ${by}, ${key}`,
    changed: (by: string) =>
      `Tym zarządza się jako kodem (${by}). Następne zastosowanie plików nadpisze to, co w nich stoi; zmień też pliki.`,
    removed: (by: string) =>
      `Tym zarządza się jako kodem (${by}). Następne zastosowanie plików utworzy to od nowa, bez historii; usuń to też z plików.`,
  },
})

interface ManagedProps {
  readonly by: string
  /** The key of the object. */
  readonly name: string
}

export function Mark({ by, name }: ManagedProps) {
  const text = useWords(managedWords).mark(by, name)
  return (
    <span className="managed" title={text}>
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14" />
      </svg>
      <span className="managed-by" aria-hidden="true">
        {by}
      </span>
      <span className="only-read">{text}</span>
    </span>
  )
}

export function Note({ by, isRemoval }: ManagedProps & { readonly isRemoval: boolean }) {
  const words = useWords(managedWords)
  return <p className="notice">{isRemoval ? words.removed(by) : words.changed(by)}</p>
}
