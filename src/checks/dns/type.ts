import type { CheckDeclaration } from '../declare.ts'
import { choice, expectedAnswer, flag, port, text, timeout } from '../settings.ts'

export const dns: CheckDeclaration = {
  check: 'dns',
  family: 'names',
  keywords: ['record', 'resolver', 'nameserver', 'mx', 'txt', 'rekord', 'serwer nazw'],
  types: { dns: { name: { en: 'DNS', pl: 'DNS' }, addressPrefix: '', addressForm: 'host', hasIpv6: true } },
  settings: [
    text(
      'query_name',
      { en: 'Domain name to ask for', pl: 'Nazwa domeny, o którą pytać' },
      { longest: 253, is_nullable: false, minimum_length: 1, isRequired: true, grammar: 'domain_name' },
    ),
    choice('query_type', { en: 'Type of the record to ask for', pl: 'Typ rekordu, o który pytać' }, [
      ...(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR', 'CAA'] as const),
    ]),
    expectedAnswer,
    choice(
      'expected_rcode',
      { en: 'Expected response code of the DNS server', pl: 'Oczekiwany kod odpowiedzi serwera DNS' },
      ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'],
    ),
    choice('transport', { en: 'Transport protocol', pl: 'Protokół transportowy' }, ['udp', 'tcp']),
    port(53),
    timeout(5000),
    flag(
      'recursion_desired',
      { en: 'Ask the server to resolve recursively', pl: 'Proś serwer o odpowiedź rekurencyjną' },
      true,
    ),
  ],
}
