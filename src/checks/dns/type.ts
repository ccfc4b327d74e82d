import type { CheckDeclaration } from '../declare.ts'
import { choice, flag, text } from '../settings.ts'
import { expectedAnswer, port, timeout } from '../shared-settings.ts'

export const dns: CheckDeclaration = {
  check: 'dns',
  family: 'names',
  keywords: ['record', 'resolver', 'nameserver', 'mx', 'txt', 'rekord', 'serwer nazw'],
  types: { dns: { name: { en: 'DNS', pl: 'DNS' }, addressPrefix: '', addressForm: 'host', hasIpv6: true } },
  settings: [
    text(
      'query_name',
      {
        en: { label: 'Domain name', description: 'The name that the name server is asked for.' },
        pl: { label: 'Nazwa domeny', description: 'Nazwa, o którą pyta się serwer nazw.' },
      },
      { longest: 253, is_nullable: false, minimum_length: 1, isRequired: true, grammar: 'domain_name' },
    ),
    choice(
      'query_type',
      {
        en: { label: 'Record type', description: 'The type of the record to ask for.' },
        pl: { label: 'Typ rekordu', description: 'Typ rekordu, o który się pyta.' },
      },
      [...(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR', 'CAA'] as const)],
    ),
    expectedAnswer,
    choice(
      'expected_rcode',
      {
        en: {
          label: 'Expected response code',
          description: 'The response code (RCODE) that the name server must give.',
        },
        pl: {
          label: 'Oczekiwany kod odpowiedzi',
          description: 'Kod odpowiedzi (RCODE), który musi podać serwer nazw.',
        },
      },
      ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'],
    ),
    choice(
      'transport',
      {
        en: { label: 'Transport', description: 'The protocol that carries the question.' },
        pl: { label: 'Transport', description: 'Protokół, którym przesyła się pytanie.' },
      },
      ['udp', 'tcp'],
    ),
    port(53),
    timeout(5000),
    flag(
      'recursion_desired',
      {
        en: { label: 'Recursion', description: 'The name server is asked to resolve the name recursively.' },
        pl: { label: 'Rekurencja', description: 'Serwer nazw jest proszony o odpowiedź rekurencyjną.' },
      },
      true,
    ),
  ],
}
