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
        en: {
          label: 'A report at least every',
          description: 'The longest time between two reports, unless a cron line is set.',
        },
        pl: {
          label: 'Zgłoszenie co najmniej co',
          description: 'Najdłuższy czas między dwoma zgłoszeniami, chyba że podano wiersz crona.',
        },
      },
      { standard: day, minimum: 10, maximum: 365 * day, unit: 's' },
    ),
    text(
      'cron',
      {
        en: {
          label: 'Cron line',
          description:
            'Five fields, as in the crontab: minute, hour, day of the month, month, day of the week. It replaces the period.',
        },
        pl: {
          label: 'Wiersz crona',
          description:
            'Pięć pól jak w crontab: minuta, godzina, dzień miesiąca, miesiąc, dzień tygodnia. Zastępuje okres.',
        },
      },
      { longest: 200, grammar: 'cron' },
    ),
    text(
      'time_zone',
      {
        en: {
          label: 'Time zone',
          description: 'The zone of the cron line, such as europe_warsaw. Empty: that of the owner.',
        },
        pl: {
          label: 'Strefa czasowa',
          description: 'Strefa wiersza crona, na przykład europe_warsaw. Puste: strefa właściciela.',
        },
      },
      { longest: 100, grammar: 'time_zone' },
    ),
    integer(
      'grace',
      {
        en: { label: 'May be late by', description: 'A report that is later is a failure.' },
        pl: { label: 'Może się spóźnić o', description: 'Późniejsze zgłoszenie oznacza awarię.' },
      },
      { standard: 3600, minimum: 0, maximum: 30 * day, unit: 's' },
    ),
    integer(
      'max_run_time',
      {
        en: {
          label: 'A run may take',
          description: 'It is a failure when a run takes longer from its start to its end. Empty: any time.',
        },
        pl: {
          label: 'Przebieg może trwać',
          description: 'Jest awaria, gdy przebieg trwa dłużej od początku do końca. Puste: dowolnie długo.',
        },
      },
      { standard: null, minimum: 1, maximum: 365 * day, unit: 's' },
    ),
  ],
  reportsIn: true,
}
