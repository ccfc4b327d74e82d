import type { CheckDeclaration } from '../declare.ts'
import { text, timeout, warningDays } from '../settings.ts'

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
        en: 'Scenario: a recording of the browser’s Recorder in JSON',
        pl: 'Scenariusz: nagranie rejestratora przeglądarki w JSON',
      },
      {
        ...{ longest: 200_000, is_nullable: false, isRequired: true },
        ...{ suggested_form_element: 'textarea', grammar: 'scenario' },
      },
    ),
    text(
      'secrets',
      {
        en: 'Values that the scenario refers to as {{name}}, in lines name=value; cannot be read',
        pl: 'Wartości, do których scenariusz odwołuje się przez {{nazwa}}, w wierszach nazwa=wartość; nie można ich odczytać',
      },
      { longest: 8192, isSecret: true, suggested_form_element: 'textarea', grammar: 'secrets' },
    ),
    timeout(60_000, 1000),
    warningDays,
  ],
}
