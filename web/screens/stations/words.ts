import { catalogue } from '../../words/words.ts'

const rules = new Intl.PluralRules('pl')

export const stationsWords = catalogue({
  en: {
    title: 'Stations',
    what: 'the stations',
    about: 'They check every service at the same moment, from different places; most of them decide.',
    window: 'Agreement and lag are of the newest rounds of this installation: at most 1,000 of the last hour.',
    address: 'Address',
    checks: 'Checks',
    version: 'Version',
    seen: 'Last seen',
    never: 'never',
    agreement: 'Agrees with the verdict',
    agreed: (share: string, rounds: string) => `${share} (rounds: ${rounds})`,
    lag: 'Begins after the first station',
    noRounds: 'no rounds lately',
    noPlace: 'No place given',
    states: { seen: 'Connected', older: 'Older version', silent: 'Silent', never: 'Never connected' },
    none: 'There are no stations. Nothing can be checked.',
    map: 'Map of the stations',
    pointName: (name: string, state: string) => `${name}: ${state}`,
    onMap: 'On the map',
    onMapName: (name: string) => `On the map: ${name}`,
    world: 'Whole world',
    missing: (count: number) =>
      count === 1 ? '1 station has no place on the map.' : `${count} stations have no place on the map.`,
  },
  pl: {
    title: 'Stacje',
    what: 'stacje',
    about: 'Sprawdzają każdą usługę w tej samej chwili, z różnych miejsc; decyduje większość.',
    window: 'Zgodność i opóźnienie liczymy z najnowszych rund tej instalacji: najwyżej 1000 z ostatniej godziny.',
    address: 'Adres',
    checks: 'Sprawdza',
    version: 'Wersja',
    seen: 'Ostatnio widziana',
    never: 'nigdy',
    agreement: 'Zgodność z werdyktem',
    agreed: (share: string, rounds: string) => `${share} (rundy: ${rounds})`,
    lag: 'Zaczyna po pierwszej stacji',
    noRounds: 'ostatnio bez rund',
    noPlace: 'Nie podano miejsca',
    states: { seen: 'Połączona', older: 'Starsza wersja', silent: 'Milczy', never: 'Nigdy niepołączona' },
    none: 'Nie ma żadnej stacji. Niczego nie da się sprawdzić.',
    map: 'Mapa stacji',
    pointName: (name: string, state: string) => `${name}: ${state}`,
    onMap: 'Na mapie',
    onMapName: (name: string) => `Na mapie: ${name}`,
    world: 'Cały świat',
    missing: (count: number) => {
      const form = rules.select(count)
      return form === 'one'
        ? '1 stacja nie ma miejsca na mapie.'
        : `${count} ${form === 'few' ? 'stacje nie mają' : 'stacji nie ma'} miejsca na mapie.`
    },
  },
})
