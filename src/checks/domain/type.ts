import type { CheckDeclaration } from '../declare.ts'
import { flag, text, warningDays } from '../settings.ts'

/** The registration of a domain, as its registry tells it (docs/expiry.md); the core asks. */
export const domain: CheckDeclaration = {
  check: 'domain',
  family: 'names',
  keywords: ['whois', 'rdap', 'registrar', 'expiry', 'renewal', 'rejestrator', 'wygaśnięcie'],
  types: {
    domain: {
      name: { en: 'Domain (registration)', pl: 'Domena (rejestracja)' },
      addressPrefix: '',
      addressForm: 'domain',
    },
  },
  settings: [
    warningDays,
    text(
      'expected_name_servers',
      {
        en: 'Fails when the domain has other name servers than these, separated by commas; empty: not compared',
        pl: 'Błąd, gdy domena ma inne serwery nazw niż te, rozdzielone przecinkami; puste: bez porównania',
      },
      { longest: 1000 },
    ),
    text(
      'expected_registrar',
      {
        en: 'Fails when the name of the registrar does not contain this; empty: not compared',
        pl: 'Błąd, gdy nazwa rejestratora nie zawiera tego tekstu; puste: bez porównania',
      },
      { longest: 200 },
    ),
    flag(
      'require_dnssec',
      {
        en: 'Fails when the registry says that the domain is not signed by DNSSEC',
        pl: 'Błąd, gdy rejestr podaje, że domena nie jest podpisana przez DNSSEC',
      },
      false,
    ),
  ],
  inCore: true,
}
