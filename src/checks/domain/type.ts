import type { CheckDeclaration } from '../declare.ts'
import { flag, text } from '../settings.ts'
import { warningDays } from '../shared-settings.ts'

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
        en: {
          label: 'Expected name servers',
          description: 'Separated by commas. The check fails when the domain has others. Empty: not compared.',
        },
        pl: {
          label: 'Oczekiwane serwery nazw',
          description: 'Rozdzielone przecinkami. Błąd, gdy domena ma inne. Puste: bez porównania.',
        },
      },
      { longest: 1000 },
    ),
    text(
      'expected_registrar',
      {
        en: {
          label: 'Expected registrar',
          description: 'The check fails when the name of the registrar does not contain this. Empty: not compared.',
        },
        pl: {
          label: 'Oczekiwany rejestrator',
          description: 'Błąd, gdy nazwa rejestratora nie zawiera tego tekstu. Puste: bez porównania.',
        },
      },
      { longest: 200 },
    ),
    flag(
      'require_dnssec',
      {
        en: {
          label: 'Require DNSSEC',
          description: 'The check fails when the registry says that the domain is not signed by DNSSEC.',
        },
        pl: {
          label: 'Wymagany DNSSEC',
          description: 'Błąd, gdy rejestr podaje, że domena nie jest podpisana przez DNSSEC.',
        },
      },
      false,
    ),
  ],
  inCore: true,
}
