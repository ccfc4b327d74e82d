import type { CheckDeclaration } from '../declare.ts'
import { integer, port, timeout } from '../settings.ts'

export const ntp: CheckDeclaration = {
  check: 'ntp',
  family: 'servers',
  keywords: ['time', 'clock', 'chrony', 'czas', 'zegar'],
  types: { ntp: { name: { en: 'NTP', pl: 'NTP' }, addressPrefix: 'ntp://', addressForm: 'host', hasIpv6: true } },
  settings: [
    port(123),
    integer(
      'maximum_offset',
      {
        en: 'Fails when the server’s time differs from the sensor’s by more milliseconds',
        pl: 'Błąd, gdy czas serwera różni się od czasu sensora o więcej milisekund',
      },
      { standard: 1000, minimum: 1, maximum: 86_400_000 },
    ),
    integer(
      'maximum_stratum',
      {
        en: 'Fails when the server is further from a reference clock than so many steps',
        pl: 'Błąd, gdy serwer dzieli od zegara wzorcowego więcej kroków',
      },
      { standard: 15, minimum: 1, maximum: 15 },
    ),
    timeout(5000),
  ],
}
