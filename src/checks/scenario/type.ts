import type { CheckDeclaration } from '../declare.ts'
import { text } from '../settings.ts'
import { timeout, warningDays } from '../shared-settings.ts'

export const scenario: CheckDeclaration = {
  check: 'scenario',
  family: 'browser',
  keywords: [
    'browser',
    'chromium',
    'login',
    'checkout',
    'recorder',
    'script',
    'test',
    'przeglądarka',
    'logowanie',
    'skrypt',
  ],
  inBrowser: true,
  types: {
    webappcheck: {
      name: { en: 'Web application scenario', pl: 'Scenariusz aplikacji WWW' },
      ...{ addressPrefix: 'https://', addressForm: 'web', category: 'webappcheck' },
    },
  },
  settings: [
    text(
      'scenario',
      {
        en: { label: 'Scenario', description: 'A recording of the browser’s Recorder, in JSON.' },
        pl: { label: 'Scenariusz', description: 'Nagranie rejestratora przeglądarki, w JSON.' },
      },
      {
        ...{ longest: 200_000, is_nullable: false, isRequired: true },
        ...{ suggested_form_element: 'textarea', grammar: 'scenario' },
      },
    ),
    text(
      'secrets',
      {
        en: {
          label: 'Secrets of the scenario',
          description: 'Lines name=value; the scenario refers to each as {{name}}. They cannot be read back.',
        },
        pl: {
          label: 'Sekrety scenariusza',
          description:
            'Wiersze nazwa=wartość; scenariusz odwołuje się do nich przez {{nazwa}}. Nie można ich odczytać.',
        },
      },
      { longest: 8192, isSecret: true, suggested_form_element: 'textarea', grammar: 'secrets' },
    ),
    timeout(60_000, 1000),
    warningDays,
  ],
}
