import { prefix } from '../api/prefix.ts'
import { catalogue, useWords } from '../words/words.ts'

const words = catalogue({
  en: {
    text: 'Nothing is saved: your session has ended. What you typed is still here. Log in in another tab, come back, and press the button again.',
    link: 'Log in in another tab',
  },
  pl: {
    text: 'Niczego nie zapisano: Twoja sesja się skończyła. Wpisane wartości pozostały. Zaloguj się w innej karcie, wróć i naciśnij przycisk jeszcze raz.',
    link: 'Zaloguj się w innej karcie',
  },
})

/** Says that the session has ended under a form with something typed. Another tab logs in, and the form goes on. */
export function LoggedOut() {
  const { text, link } = useWords(words)
  return (
    <div className="stack">
      <p>{text}</p>
      <p>
        <a className="button" href={`${prefix}/login?to=%2F`} target="_blank" rel="noopener">
          {link}
        </a>
      </p>
    </div>
  )
}
