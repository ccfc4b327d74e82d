import { catalogue } from '../../words/words.ts'

export const heartbeatWords = catalogue({
  en: {
    title: 'When it reports in',
    pastedHint: 'The job calls its own address when it has run; the service shows the address once it is saved.',
    rhythm: 'Reports',
    rhythms: { period: 'Every so often', cron: 'By a cron line' },
    ownersZone: 'That of the owner',
    next: 'Next moments',
    noCron: 'This is no cron line of five fields.',
    unit: (what: string) => `Unit of “${what}”`,
    units: { 1: 'seconds', 60: 'minutes', 3600: 'hours', 86400: 'days' },
  },
  pl: {
    title: 'Kiedy się zgłasza',
    pastedHint: 'Zadanie wywołuje swój adres po wykonaniu; usługa pokaże adres, gdy będzie zapisana.',
    rhythm: 'Zgłoszenia',
    rhythms: { period: 'Co pewien czas', cron: 'Według wiersza crona' },
    ownersZone: 'Strefa właściciela',
    next: 'Najbliższe chwile',
    noCron: 'To nie jest wiersz crona z pięciu pól.',
    unit: (what: string) => `Jednostka pola „${what}”`,
    units: { 1: 'sekund', 60: 'minut', 3600: 'godzin', 86400: 'dni' },
  },
})
