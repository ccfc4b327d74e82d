import { catalogue } from '../../words/words.ts'

export const stationsWords = catalogue({
  en: {
    title: 'Stations',
    what: 'the stations',
    about: 'They check every service at the same moment, from different places; most of them decide.',
    name: 'Name',
    place: 'Place',
    address: 'Address',
    checks: 'Checks',
    state: 'State',
    available: 'Connected',
    away: 'Not connected',
    none: 'There are no stations. Nothing can be checked.',
  },
  pl: {
    title: 'Stacje',
    what: 'stacje',
    about: 'Sprawdzają każdą usługę w tej samej chwili, z różnych miejsc; decyduje większość.',
    name: 'Nazwa',
    place: 'Miejsce',
    address: 'Adres',
    checks: 'Sprawdza',
    state: 'Stan',
    available: 'Połączona',
    away: 'Niepołączona',
    none: 'Nie ma żadnej stacji. Niczego nie da się sprawdzić.',
  },
})
