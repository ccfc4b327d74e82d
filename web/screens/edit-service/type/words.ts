import { catalogue } from '../../../words/words.ts'

export const typeWords = catalogue({
  en: {
    type: 'Type',
    types: 'Types of services',
    hint: 'Click to see all types, or type what you look for: postgres, cron, certificate.',
    found: (count: number) => (count === 0 ? 'No type matches.' : count === 1 ? '1 type' : `${count} types`),
    isFull: 'none left in the package',
    onlyIpv6: 'Over IPv6 only',
  },
  pl: {
    type: 'Typ',
    types: 'Typy usług',
    hint: 'Kliknij, aby zobaczyć wszystkie typy, albo wpisz, czego szukasz: postgres, cron, certyfikat.',
    found: (count: number) => (count === 0 ? 'Żaden typ nie pasuje.' : `Typy: ${count}`),
    isFull: 'pakiet nie ma już miejsca',
    onlyIpv6: 'Tylko przez IPv6',
  },
})
