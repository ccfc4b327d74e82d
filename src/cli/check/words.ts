import type { Language } from '../../wording/language.ts'

/** Texts of `latarnik check`. */
interface CheckWords {
  readonly results: Readonly<Record<'ok' | 'error' | 'unknown', string>>
  readonly verdicts: Readonly<Record<'ok' | 'failure' | 'none', string>>
  readonly phases: Readonly<Record<string, string>>
  readonly advice: string
  readonly asking: (origin: string) => string
  readonly cut: string
  readonly privateHint: string
  readonly station: (id: number) => string
}

export const checkWords: Readonly<Record<Language, CheckWords>> = {
  en: {
    results: { ok: 'OK', error: 'Error', unknown: 'Could not try' },
    verdicts: {
      ok: 'It works.',
      failure: 'This would be a failure.',
      none: 'Too few stations could tell.',
    },
    phases: {
      dns: 'name',
      connect: 'connect',
      tls: 'TLS',
      sent: 'sent',
      first_byte: 'first byte',
      transfer: 'transfer',
    },
    advice: 'What to do:',
    asking: (origin) => `The stations of ${origin} are asked…`,
    cut: 'The answer ended before the verdict.',
    privateHint: 'Addresses of private networks are checked if ALLOW_PRIVATE_TARGETS allows them.',
    station: (id) => `station ${id}`,
  },
  pl: {
    results: { ok: 'OK', error: 'Błąd', unknown: 'Nie można było spróbować' },
    verdicts: {
      ok: 'Działa.',
      failure: 'To byłaby awaria.',
      none: 'Zbyt mało stacji mogło to ocenić.',
    },
    phases: {
      dns: 'nazwa',
      connect: 'połączenie',
      tls: 'TLS',
      sent: 'wysłanie',
      first_byte: 'pierwszy bajt',
      transfer: 'przesłanie',
    },
    advice: 'Co zrobić:',
    asking: (origin) => `Pytam stacje ${origin}…`,
    cut: 'Odpowiedź skończyła się przed werdyktem.',
    privateHint: 'Adresy sieci prywatnych są sprawdzane, jeśli ALLOW_PRIVATE_TARGETS na to pozwala.',
    station: (id) => `stacja ${id}`,
  },
}
