import type { CheckDeclaration } from '../declare.ts'
import { integer } from '../settings.ts'
import { port, timeout } from '../shared-settings.ts'

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
        en: {
          label: 'Largest clock difference',
          description: 'The check fails when the server’s time differs more from the station’s.',
        },
        pl: {
          label: 'Największa różnica zegarów',
          description: 'Błąd, gdy czas serwera różni się bardziej od czasu stacji.',
        },
      },
      { standard: 1000, minimum: 1, maximum: 86_400_000, unit: 'ms' },
    ),
    integer(
      'maximum_stratum',
      {
        en: {
          label: 'Largest stratum',
          description: 'The check fails when the server is more steps away from a reference clock.',
        },
        pl: {
          label: 'Największa warstwa (stratum)',
          description: 'Błąd, gdy serwer dzieli od zegara wzorcowego więcej kroków.',
        },
      },
      { standard: 15, minimum: 1, maximum: 15 },
    ),
    timeout(5000),
  ],
}
