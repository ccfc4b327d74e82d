import { plainLetters } from '../format/plain-letters.ts'
import type { IconName } from '../parts/icon.tsx'
import type { shellWords } from '../shell/words.ts'
import { catalogue } from '../words/words.ts'

type SectionName = keyof (typeof shellWords)['en']

/** A screen within a section; the palette shows it once something is typed. */
interface Place {
  readonly path: string
  readonly icon: IconName
  readonly name: string
  /** Other words for it. */
  readonly also: string
}

/** Other words for the sections, and screens within them. */
export const placeWords = catalogue({
  en: {
    sections: {
      notifications: 'alerts e-mail mail sms webhook channel address who is told',
      calendar: 'maintenance window suspension planned work',
      reports: 'pdf sla uptime',
      onCall: 'contacts escalation rotation duty',
      stations: 'sensors probes locations',
      wallboards: 'screen tv dashboard',
      statusPages: 'public incident subscribers',
      account: 'profile settings',
    } as Partial<Record<SectionName, string>>,
    places: [
      { path: '/account', icon: 'person', name: 'Time zone and language', also: 'name profile e-mail' },
      { path: '/account/security', icon: 'person', name: 'Password and second factor', also: 'security passkey 2fa' },
      { path: '/account/keys', icon: 'person', name: 'API keys', also: 'token access' },
      { path: '/account/audit-log', icon: 'person', name: 'Audit log', also: 'who changed history' },
      { path: '/notifications/templates', icon: 'bell', name: 'Message templates', also: 'text mail' },
    ] as readonly Place[],
  },
  pl: {
    sections: {
      notifications: 'alerty e-mail mail poczta sms webhook kanał adres kogo powiadomić',
      calendar: 'okno serwisowe konserwacja przerwa techniczna prace planowane zawieszenie',
      reports: 'pdf sla dostępność',
      onCall: 'kontakty eskalacja rotacja dyżur',
      stations: 'czujniki miejsca',
      wallboards: 'ekran telewizor pulpit',
      statusPages: 'publiczna incydent subskrybenci',
      account: 'profil ustawienia',
    } as Partial<Record<SectionName, string>>,
    places: [
      { path: '/account', icon: 'person', name: 'Strefa czasowa i język', also: 'nazwa profil e-mail' },
      {
        path: '/account/security',
        icon: 'person',
        name: 'Hasło i drugi składnik',
        also: 'bezpieczeństwo klucz dostępu 2fa',
      },
      { path: '/account/keys', icon: 'person', name: 'Klucze API', also: 'token dostęp' },
      { path: '/account/audit-log', icon: 'person', name: 'Dziennik audytu', also: 'kto zmienił historia' },
      { path: '/notifications/templates', icon: 'bell', name: 'Szablony wiadomości', also: 'treść mail' },
    ] as readonly Place[],
  },
})

/** Polish words end in many ways: the last letter of a longer one may be another (`strona`, `strony`). */
const shortest = 6

/** Whether every typed word is in the text, without regard to marks and to the end of longer words. */
export function isMatch(typed: string, text: string): boolean {
  const whole = plainLetters(text)
  return plainLetters(typed)
    .trim()
    .split(/\s+/)
    .every((word) => whole.includes(word) || (word.length >= shortest && whole.includes(word.slice(0, -1))))
}
