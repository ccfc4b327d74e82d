import { catalogue } from '../words/words.ts'

/** Texts of what every screen uses. */
export const partWords = catalogue({
  en: {
    states: {
      failure: 'Failure',
      ok: 'OK',
      paused: 'Paused',
      suspended: 'Suspended',
      unknown: 'Unknown',
    },
    loading: (what: string) => `Loading ${what}…`,
    failed: 'This could not be read.',
    unreachable: 'The server cannot be reached.',
    forbidden: 'You may not see this.',
    gone: 'There is no such thing, or you may not see it.',
    again: 'Try again',
    notFound: 'There is no such page',
    notFoundHint: 'The address may be old or mistyped.',
    toServices: 'To the services',
    fault: 'This screen failed',
    faultHint: 'It is a fault of the console, not of your services: they go on being watched.',
    reload: 'Load the page again',
    close: 'Close',
    cancel: 'Cancel',
    copied: 'Copied',
    copy: 'Copy',
    day: (date: string, level: string, failures: number) =>
      failures === 0
        ? `${date}: ${level}`
        : `${date}: ${level}, ${failures} ${failures === 1 ? 'failure' : 'failures'}`,
    noData: 'not monitored',
    bars: (days: number, level: string) => `${days} days, ${level} available`,
    barsNoData: (days: number) => `${days} days, not monitored`,
    testMessage: {
      sending: 'The test message is being sent…',
      sent: 'The test message was sent.',
      failed: 'The test message could not be sent.',
      pending: 'The test message is still on its way; the deliveries under Notifications tell the rest.',
    },
  },
  pl: {
    states: {
      failure: 'Awaria',
      ok: 'Działa',
      paused: 'Wstrzymana',
      suspended: 'Zawieszona',
      unknown: 'Nieznany',
    },
    loading: (what: string) => `Wczytywanie: ${what}…`,
    failed: 'Nie udało się tego odczytać.',
    unreachable: 'Serwer jest nieosiągalny.',
    forbidden: 'Nie masz prawa tego widzieć.',
    gone: 'Nie ma czegoś takiego albo nie masz prawa tego widzieć.',
    again: 'Spróbuj ponownie',
    notFound: 'Nie ma takiej strony',
    notFoundHint: 'Adres może być stary albo błędnie wpisany.',
    toServices: 'Do usług',
    fault: 'Ten ekran zawiódł',
    faultHint: 'To błąd konsoli, nie Twoich usług: są dalej monitorowane.',
    reload: 'Wczytaj stronę ponownie',
    close: 'Zamknij',
    cancel: 'Anuluj',
    copied: 'Skopiowano',
    copy: 'Kopiuj',
    day: (date: string, level: string, failures: number) =>
      failures === 0 ? `${date}: ${level}` : `${date}: ${level}, awarie: ${failures}`,
    noData: 'niemonitorowana',
    bars: (days: number, level: string) => `${days} dni, dostępność ${level}`,
    barsNoData: (days: number) => `${days} dni, niemonitorowana`,
    testMessage: {
      sending: 'Wysyłanie wiadomości próbnej…',
      sent: 'Wiadomość próbna została wysłana.',
      failed: 'Nie udało się wysłać wiadomości próbnej.',
      pending: 'Wiadomość próbna jest jeszcze w drodze; resztę pokażą doręczenia w Powiadomieniach.',
    },
  },
})
