/** The login to the shop's panel, as the browser's Recorder writes it. */

export const panelUser = { username: 'ania', password: 'Bryza & szkwał 7' }

export const scenarioSecrets = `user=${panelUser.username}\nword=${panelUser.password}`

const offsets = { offsetX: 5, offsetY: 5 }

/** @param base address of the shop, without a slash at its end */
export function loginScenario(base: string): string {
  const navigation = (to: string, title: string) => ({ type: 'navigation', url: `${base}${to}`, title })
  return JSON.stringify({
    title: 'Logowanie do panelu',
    steps: [
      {
        ...{ type: 'setViewport', width: 1200, height: 800, deviceScaleFactor: 1 },
        ...{ isMobile: false, hasTouch: false, isLandscape: false },
      },
      {
        ...{ type: 'navigate', url: `${base}/panel/login`, title: 'Otwarcie' },
        assertedEvents: [navigation('/panel/login', 'Panel sklepu')],
      },
      {
        ...{ type: 'change', target: 'main', value: '{{user}}', title: 'Użytkownik' },
        selectors: [['aria/Użytkownik'], ['#username']],
      },
      {
        ...{ type: 'change', target: 'main', value: '{{word}}', title: 'Hasło' },
        selectors: [['aria/Hasło'], ['#password']],
      },
      {
        ...{ type: 'click', target: 'main', title: 'Zaloguj', ...offsets },
        selectors: [['aria/Zaloguj[role="button"]'], ['#enter']],
        assertedEvents: [navigation('/panel/zamowienia', 'Zamówienia')],
      },
      { type: 'waitForElement', title: 'Lista zamówień', selectors: ['.order'], operator: '==', count: 3 },
    ],
  })
}
