import type { Page } from 'playwright-core'

/** The field in which the type of a new service is chosen, in English or in Polish. */
export const typeField = (page: Page) => page.getByRole('combobox', { name: /^Type?$/ })

/** Chooses a type by its name, as a person does with the mouse. */
export async function pickType(page: Page, name: string): Promise<void> {
  await typeField(page).click()
  await page.getByRole('listbox').getByRole('option', { name, exact: true }).click()
}
