import { expect, test, vi } from 'vitest'

// The words of the console belong to a page.
vi.stubGlobal('document', { documentElement: { dataset: {} } })
vi.stubGlobal('addEventListener', () => undefined)
const { isMatch } = await import('./places.ts')

test.each([
  ['strona statusu', 'Strony statusu'],
  ['stacja', 'Stacje'],
  ['haslo', 'Hasło i drugi składnik'],
  ['dyzur', 'Dyżury'],
  ['RAPORT', 'Raporty'],
  ['usluge dodaj', 'Dodaj usługę'],
])('%s finds %s', (typed, text) => {
  expect(isMatch(typed, text)).toBe(true)
})

test.each([
  ['konto', 'Kontakty'],
  ['raz', 'Raporty'],
  ['strona hasło', 'Strony statusu'],
  ['test', 'Teksty'],
])('%s does not find %s', (typed, text) => {
  expect(isMatch(typed, text)).toBe(false)
})
