import type { CheckDeclaration } from '../declare.ts'
import { choice, flag, integer } from '../settings.ts'
import {
  contentPatterns,
  credentials,
  maximumResponseTime,
  requestHeaders,
  timeout,
  warningDays,
} from '../shared-settings.ts'

const mobile = {
  addressForm: 'web',
  category: 'mobile',
  settings: [
    choice(
      'device',
      {
        en: { label: 'Device', description: 'The phone that the browser emulates.' },
        pl: { label: 'Urządzenie', description: 'Telefon, który emuluje przeglądarka.' },
      },
      [...(['Pixel 7', 'Pixel 5', 'Galaxy S9+', 'iPhone 14', 'iPhone 13', 'iPhone SE'] as const)],
    ),
    {
      ...choice(
        'network',
        {
          en: { label: 'Network', description: 'The speed that the browser emulates.' },
          pl: { label: 'Sieć', description: 'Szybkość, którą emuluje przeglądarka.' },
        },
        ['none', '4g', '3g'],
      ),
      default: '4g',
    },
  ],
} as const

export const page: CheckDeclaration = {
  check: 'page',
  family: 'browser',
  keywords: ['browser', 'chromium', 'screenshot', 'website', 'przeglądarka', 'zrzut ekranu', 'witryna'],
  inBrowser: true,
  types: {
    fullpage: {
      name: { en: 'Full page, HTTP', pl: 'Cała strona, HTTP' },
      ...{ addressPrefix: 'http://', addressForm: 'web' },
    },
    fullpagehttps: {
      name: { en: 'Full page, HTTPS', pl: 'Cała strona, HTTPS' },
      ...{ addressPrefix: 'https://', addressForm: 'web' },
    },
    mobilepage: {
      ...mobile,
      ...{ name: { en: 'Mobile page, HTTP', pl: 'Strona mobilna, HTTP' }, addressPrefix: 'http://' },
    },
    mobilepagehttps: {
      ...mobile,
      ...{ name: { en: 'Mobile page, HTTPS', pl: 'Strona mobilna, HTTPS' }, addressPrefix: 'https://' },
    },
  },
  settings: [
    timeout(30_000, 1000),
    ...contentPatterns,
    integer(
      'maximum_page_size',
      {
        en: { label: 'Largest page', description: 'The check fails when the page is larger. Empty: any size.' },
        pl: { label: 'Największa strona', description: 'Błąd, gdy strona jest większa. Puste: dowolna.' },
      },
      { standard: null, minimum: 1, maximum: 1_000_000_000, unit: 'B' },
    ),
    maximumResponseTime,
    flag(
      'fail_on_resource_errors',
      {
        en: {
          label: 'Fail when a part is missing',
          description: 'The check fails when a part of the page (image, script, style) cannot be loaded.',
        },
        pl: {
          label: 'Błąd, gdy brakuje części',
          description: 'Błąd, gdy części strony (obrazu, skryptu, stylu) nie da się wczytać.',
        },
      },
      false,
    ),
    requestHeaders,
    ...credentials,
    warningDays,
  ],
}
