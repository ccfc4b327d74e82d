import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Account } from './api/answers.ts'
import { change } from './api/calls.ts'
import { read, speak } from './api/client.ts'
import { createFormat, type Format } from './format/format.ts'
import { browserZone } from './format/zone.ts'
import type { Language } from './words/words.ts'

/** The user's choices, stored with the account, so that they are the same on every machine. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  /** Null: that of the browser. */
  readonly language: Language | null
  /** Single letters as shortcuts (WCAG 2.1.4: can be switched off). */
  readonly shortcuts: boolean
  /** Days that the bars of the list show. */
  readonly barDays: 30 | 90
  readonly hiddenColumns: readonly string[]
  /** Named addresses of the list of services, without the question mark. */
  readonly views: readonly { readonly name: string; readonly query: string }[]
  /** Nobody is told of failures, and that is meant. */
  readonly isSilenceMeant: boolean
  /** The zone of a browser in which the one of the account was kept; null: nobody was asked yet. */
  readonly zoneKeptIn: string | null
  /** The first steps were gone through, or put aside. */
  readonly isWelcomed: boolean
}

const chosenByNobody: Preferences = {
  theme: 'system',
  language: null,
  shortcuts: true,
  barDays: 30,
  hiddenColumns: ['interval', 'expires'],
  views: [],
  isSilenceMeant: false,
  zoneKeptIn: null,
  isWelcomed: false,
}

export interface Person {
  readonly account: Account & { readonly permissions?: Readonly<Record<string, boolean>> }
  /** The IANA name of the account's time zone. */
  readonly zone: string
  readonly preferences: Preferences
  readonly isAdministrator: boolean
}

const settingKey = 'console.v1'

/** The logged-in user with their choices. */
export async function readPerson(): Promise<Person> {
  const { scope } = await read('/sessions/my_session?fields=scope')
  if (scope === 'administrator') return administrator()
  const account = await read('/accounts/my_account?embed=permissions')
  const zoneId: string = account.time_zone_id
  const [zone, { settings }] = await Promise.all([
    read(`/dictionaries/time_zones/${zoneId}`),
    read('/user_data/my_user_data?fields=settings'),
  ])
  const chosen = settings.find(({ key }) => key === settingKey)?.value as Partial<Preferences> | undefined
  const person = { account, zone: zone.name, isAdministrator: false }
  return { ...person, preferences: { ...chosenByNobody, ...chosen, ...keptHere(placeOf(person)) } }
}

/**
 * The browser's storage for the choices of users who may write nothing to the API: administrators and read-only logins.
 * Null: the API stores them.
 */
function placeOf({ account, isAdministrator }: Pick<Person, 'account' | 'isAdministrator'>): string | null {
  if (isAdministrator) return 'latarnik.administrator'
  return account.is_read_only ? `latarnik.choices.${account.id}` : null
}

function keptHere(place: string | null): Partial<Preferences> {
  const kept = place === null ? null : localStorage.getItem(place)
  return kept === null ? {} : (JSON.parse(kept) as Partial<Preferences>)
}

/** The API tells nothing of an administrator but that it is one. */
function administrator(): Person {
  const account: Account = {
    ...{ id: 0, username: '', name: 'Administrator', package_id: 0, parent_account_id: null },
    ...{ language_id: 'en', time_zone_id: 'utc', created_at: '' },
    ...{
      is_activated: true,
      is_blocked: false,
      is_read_only: false,
      disable_legacy_notifications: false,
      storm_threshold: null,
    },
  }
  const person = { account, zone: browserZone(), isAdministrator: true }
  return { ...person, preferences: { ...chosenByNobody, ...keptHere(placeOf(person)) } }
}

export interface Reader extends Person {
  readonly language: Language
  readonly format: Format
  readonly choose: (chosen: Partial<Preferences>) => void
}

const ReaderContext = createContext<Reader | null>(null)

export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (reader === null) throw new Error('There is no reader around this part.')
  return reader
}

export function useFormat(): Format {
  return useReader().format
}

/** The one that was chosen, else the first that the browser asks for and we speak, else that of the account. */
function languageOf({ account, preferences }: Person): Language {
  const spoken = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0])
  const asked = spoken.find((tag) => tag === 'pl' || tag === 'en')
  return preferences.language ?? asked ?? (account.language_id === 'pl' ? 'pl' : 'en')
}

/**
 * Applies choices to the page as a whole. Light or dark is stored here, so that it is known before the account is read.
 */
function apply(person: Person): void {
  const language = languageOf(person)
  speak(language)
  document.documentElement.lang = language
  document.documentElement.dataset['theme'] = person.preferences.theme
  localStorage.setItem('latarnik.theme', person.preferences.theme)
}

/** For a guest with a link and no login: the language and the zone of their browser. */
export function GuestProvider({ children }: { readonly children: ReactNode }) {
  const reader = useMemo((): Reader => {
    const zone = browserZone()
    const language = navigator.language.startsWith('pl') ? 'pl' : 'en'
    speak(language)
    document.documentElement.lang = language
    const names = { username: '', name: '', language_id: language, time_zone_id: 'utc' } as const
    const flags = {
      is_activated: true,
      is_blocked: false,
      is_read_only: true,
      disable_legacy_notifications: false,
      storm_threshold: null,
    }
    const account = { id: 0, package_id: 0, parent_account_id: null, created_at: '', ...names, ...flags }
    const format = createFormat(language, zone)
    const person = { account, zone, isAdministrator: false, preferences: chosenByNobody }
    return { ...person, language, format, choose: () => undefined }
  }, [])
  return <ReaderContext value={reader}>{children}</ReaderContext>
}

export function ReaderProvider({ person, children }: { readonly person: Person; readonly children: ReactNode }) {
  const [preferences, setPreferences] = useState(person.preferences)
  const reader = useMemo(() => {
    const whole = { ...person, preferences }
    apply(whole)
    const language = languageOf(whole)
    const choose = (chosen: Partial<Preferences>) => {
      const all = { ...preferences, ...chosen }
      setPreferences(all)
      const place = placeOf(person)
      if (place !== null) return localStorage.setItem(place, JSON.stringify(all))
      // A choice that cannot be kept still holds until the page is left.
      change('PUT', `/user_data/my_user_data/settings/${settingKey}`, all).catch(() => undefined)
    }
    return { ...whole, language, format: createFormat(language, person.zone), choose }
  }, [person, preferences])
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
