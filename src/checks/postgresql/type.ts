import type { CheckDeclaration } from '../declare.ts'
import { comparedValue, credentials, databaseQuery, port, timeout, tlsMode } from '../shared-settings.ts'

export const postgresql: CheckDeclaration = {
  check: 'postgresql',
  family: 'databases',
  keywords: ['postgres', 'sql', 'database', 'query', 'baza danych', 'zapytanie'],
  types: {
    postgresql: {
      name: { en: 'PostgreSQL', pl: 'PostgreSQL' },
      ...{ addressPrefix: 'postgresql://', addressForm: 'host', hasIpv6: true },
    },
  },
  settings: [
    port(5432),
    ...tlsMode('off', 'starttls'),
    ...credentials,
    ...databaseQuery,
    ...comparedValue,
    timeout(7000),
  ],
}
