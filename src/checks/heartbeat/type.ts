import type { CheckDeclaration } from '../declare.ts'
import { integer, text } from '../settings.ts'

const day = 86_400

/** The target reports in by pings (docs/heartbeats.md); the core judges its silence. */
export const heartbeat: CheckDeclaration = {
  check: 'heartbeat',
  family: 'heartbeats',
  keywords: [
    'cron',
    'crontab',
    'job',
    'task',
    'backup',
    'ping',
    'schedule',
    'dead man',
    'healthchecks',
    'zadanie',
    'kopia zapasowa',
  ],
  types: {
    heartbeat: {
      name: { en: 'Heartbeat (cron jobs, backups)', pl: 'Heartbeat (zadania cron, kopie zapasowe)' },
      addressPrefix: '',
      addressForm: 'none',
    },
  },
  settings: [
    integer(
      'period',
      {
        en: 'Seconds between two reports, unless a cron line is set',
        pl: 'Sekundy między dwoma zgłoszeniami, chyba że podano wiersz crona',
      },
      { standard: day, minimum: 10, maximum: 365 * day },
    ),
    text(
      'cron',
      {
        en: 'Moments of the reports as a cron line of five fields, instead of the period',
        pl: 'Chwile zgłoszeń jako wiersz crona z pięciu pól, zamiast okresu',
      },
      { longest: 200, grammar: 'cron' },
    ),
    text(
      'time_zone',
      {
        en: 'Time zone of the cron line, such as europe_warsaw; empty means the one of the owner',
        pl: 'Strefa czasowa wiersza crona, na przykład europe_warsaw; pusta oznacza strefę właściciela',
      },
      { longest: 100, grammar: 'time_zone' },
    ),
    integer(
      'grace',
      {
        en: 'Seconds that a report may be late',
        pl: 'Sekundy, o które zgłoszenie może się spóźnić',
      },
      { standard: 3600, minimum: 0, maximum: 30 * day },
    ),
    integer(
      'max_run_time',
      {
        en: 'Fails when a run takes more seconds than this from its start to its end',
        pl: 'Błąd, gdy przebieg trwa więcej sekund od początku do końca',
      },
      { standard: null, minimum: 1, maximum: 365 * day },
    ),
  ],
  reportsIn: true,
}
