import type { DegradedReason } from '../../domain/judging/degraded.ts'
import type { Language } from '../../wording/language.ts'

/** Texts of `latarnik check`. */
interface CheckWords {
  readonly results: Readonly<Record<'ok' | 'error' | 'unknown', string>>
  readonly verdicts: Readonly<Record<'ok' | 'failure' | 'none', string>>
  readonly phases: Readonly<Record<string, string>>
  readonly advice: string
  readonly steps: Readonly<Record<'ok' | 'error' | 'not_run', string>>
  readonly facts: Readonly<Record<string, string>>
  readonly degraded: string
  readonly reasons: Readonly<Record<DegradedReason, string>>
  readonly validUntil: (moment: string, days: number) => string
  readonly assertion: (number: string, expected: string, came: string) => string
  readonly asking: (origin: string) => string
  readonly cut: string
  readonly privateHint: string
  readonly station: (id: number) => string
  readonly registry: string
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
    steps: { ok: 'done', error: 'failed', not_run: 'not run' },
    facts: { domain_registrar: 'registrar', domain_name_servers: 'name servers', domain_status: 'status' },
    degraded: 'It works, but would be degraded:',
    reasons: {
      slow: 'it answers slowly',
      certificate: 'the certificate ends soon',
      domain: 'the domain ends soon',
      assertion: 'an assertion does not hold',
      minority: 'some stations see a failure',
    },
    validUntil: (moment, days) => `valid until ${moment} (${days === 1 ? '1 day' : `${days} days`})`,
    assertion: (number, expected, came) => `Assertion ${number}: expected ${expected}, came ${came}`,
    asking: (origin) => `The stations of ${origin} are asked…`,
    cut: 'The answer ended before the verdict.',
    privateHint: 'Addresses of private networks are checked if ALLOW_PRIVATE_TARGETS allows them.',
    station: (id) => `station ${id}`,
    registry: 'the registry',
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
    steps: { ok: 'wykonano', error: 'błąd', not_run: 'nie wykonano' },
    facts: { domain_registrar: 'rejestrator', domain_name_servers: 'serwery nazw', domain_status: 'status' },
    degraded: 'Działa, ale stan byłby pogorszony:',
    reasons: {
      slow: 'odpowiada powoli',
      certificate: 'certyfikat wkrótce wygaśnie',
      domain: 'domena wkrótce wygaśnie',
      assertion: 'asercja nie jest spełniona',
      minority: 'część stacji widzi awarię',
    },
    validUntil: (moment, days) => `ważne do ${moment} (${days === 1 ? '1 dzień' : `${days} dni`})`,
    assertion: (number, expected, came) => `Asercja ${number}: oczekiwano ${expected}, przyszło ${came}`,
    asking: (origin) => `Pytam stacje ${origin}…`,
    cut: 'Odpowiedź skończyła się przed werdyktem.',
    privateHint: 'Adresy sieci prywatnych są sprawdzane, jeśli ALLOW_PRIVATE_TARGETS na to pozwala.',
    station: (id) => `stacja ${id}`,
    registry: 'rejestr',
  },
}
