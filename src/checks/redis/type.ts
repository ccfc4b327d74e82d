import type { CheckDeclaration } from '../declare.ts'
import { integer, text } from '../settings.ts'
import { credentials, expectedAnswer, port, timeout, tlsMode } from '../shared-settings.ts'

/** Commands that change nothing. */
const reading = [
  ...['PING', 'ECHO', 'GET', 'MGET', 'EXISTS', 'TTL', 'PTTL', 'TYPE', 'STRLEN', 'GETRANGE', 'LLEN', 'LINDEX', 'LRANGE'],
  ...['SCARD', 'SISMEMBER', 'ZCARD', 'ZSCORE', 'ZCOUNT', 'HLEN', 'HGET', 'HMGET', 'HEXISTS', 'XLEN', 'DBSIZE', 'INFO'],
  ...['TIME', 'LASTSAVE', 'ROLE'],
]

export const redis: CheckDeclaration = {
  check: 'redis',
  family: 'databases',
  keywords: ['valkey', 'keydb', 'cache', 'key-value', 'nosql', 'database', 'baza danych', 'pamięć podręczna'],
  types: {
    redis: { name: { en: 'Redis', pl: 'Redis' }, addressPrefix: 'redis://', addressForm: 'host', hasIpv6: true },
  },
  settings: [
    port(6379),
    ...tlsMode('off', 'tls'),
    ...credentials,
    integer(
      'database_number',
      {
        en: { label: 'Database number', description: 'The database that is selected before the command.' },
        pl: { label: 'Numer bazy danych', description: 'Baza danych wybierana przed poleceniem.' },
      },
      { standard: 0, minimum: 0, maximum: 9999 },
    ),
    text(
      'command',
      {
        en: { label: 'Command', description: 'A command that reads, such as GET key or LLEN queue.' },
        pl: { label: 'Polecenie', description: 'Polecenie czytające, jak GET klucz albo LLEN kolejka.' },
      },
      {
        longest: 1000,
        default: 'PING',
        is_nullable: false,
        pattern: `^(${[...reading, ...reading.map((name) => name.toLowerCase())].join('|')})( [^\\u0000-\\u001f\\u007f]*)?$`,
      },
    ),
    expectedAnswer,
    timeout(5000),
  ],
}
