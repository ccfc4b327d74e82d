import type { CheckDeclaration } from '../declare.ts'
import { credentials, expectedAnswer, integer, port, text, timeout, tlsMode } from '../settings.ts'

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
      { en: 'Number of the database', pl: 'Numer bazy danych' },
      { standard: 0, minimum: 0, maximum: 9999 },
    ),
    text(
      'command',
      {
        en: 'Command that reads, such as GET key or LLEN queue; PING by default',
        pl: 'Polecenie czytające, jak GET klucz albo LLEN kolejka; domyślnie PING',
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
