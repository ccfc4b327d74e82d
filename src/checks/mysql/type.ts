import type { CheckDeclaration } from '../declare.ts'
import { comparedValue, credentials, databaseQuery, port, timeout, tlsMode } from '../shared-settings.ts'

export const mysql: CheckDeclaration = {
  check: 'mysql',
  family: 'databases',
  keywords: ['mariadb', 'percona', 'sql', 'database', 'query', 'baza danych', 'zapytanie'],
  types: {
    mysql: {
      name: { en: 'MySQL and MariaDB', pl: 'MySQL i MariaDB' },
      ...{ addressPrefix: 'mysql://', addressForm: 'host', hasIpv6: true },
    },
  },
  settings: [
    port(3306),
    ...tlsMode('off', 'starttls'),
    ...credentials,
    ...databaseQuery,
    ...comparedValue,
    timeout(7000),
  ],
}
