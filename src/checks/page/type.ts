import type { CheckDeclaration } from '../declare.ts'
import {
  choice,
  contentPatterns,
  credentials,
  flag,
  integer,
  maximumResponseTime,
  requestHeaders,
  timeout,
  warningDays,
} from '../settings.ts'

const mobile = {
  addressForm: 'web',
  category: 'mobile',
  settings: [
    choice('device', { en: 'Emulated device', pl: 'Emulowane urządzenie' }, [
      ...(['Pixel 7', 'Pixel 5', 'Galaxy S9+', 'iPhone 14', 'iPhone 13', 'iPhone SE'] as const),
    ]),
    { ...choice('network', { en: 'Emulated network', pl: 'Emulowana sieć' }, ['none', '4g', '3g']), default: '4g' },
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
        en: 'Fails when the page is larger than this number of bytes',
        pl: 'Błąd, gdy strona ma więcej bajtów',
      },
      { standard: null, minimum: 1, maximum: 1_000_000_000 },
    ),
    maximumResponseTime,
    flag(
      'fail_on_resource_errors',
      {
        en: 'Fails when a part of the page (image, script, style) cannot be loaded',
        pl: 'Błąd, gdy część strony (obraz, skrypt, styl) nie daje się wczytać',
      },
      false,
    ),
    requestHeaders,
    ...credentials,
    warningDays,
  ],
}
