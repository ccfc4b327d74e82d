import type { SensorCategory } from '../domain/services/service-types.ts'
import { needsBrowser, serviceTypes } from './index.ts'

/** Ways to isolate a hostile page from a station's machine. */
export const pageIsolations = ['sandbox', 'container', 'none'] as const
export type PageIsolation = (typeof pageIsolations)[number]

export const notIsolated =
  'the browser of this station has neither its sandbox nor a container around it, and anybody may register (REGISTRATION=on)'

/** As a person would say it. */
export const isolationTexts: Readonly<Record<PageIsolation, string>> = {
  sandbox: 'sandboxed',
  container: 'without sandbox, in a container (CHROMIUM_SANDBOX)',
  none: 'without sandbox (CHROMIUM_SANDBOX)',
}

/** Where strangers may register, anybody may send a station to a page that attacks its browser. */
export function mayCheckPages(isolation: PageIsolation, isRegistrationOpen: boolean): boolean {
  return !isRegistrationOpen || isolation !== 'none'
}

export const pageTypeIds: readonly string[] = serviceTypes.map(({ id }) => id).filter(needsBrowser)

/** Types of these categories are all checked with a browser. */
export const pageCategories: readonly SensorCategory[] = [
  ...new Set(serviceTypes.map(({ category }) => category)),
].filter((category) => serviceTypes.every((type) => type.category !== category || needsBrowser(type.id)))

interface Abilities {
  readonly categories: readonly string[]
  readonly unsupportedTypes: readonly string[]
}

/** Stations with a browser serve these categories, others do not. */
export function offersPages({ categories }: Pick<Abilities, 'categories'>): boolean {
  return pageCategories.some((category) => categories.includes(category))
}

/** The same station when it is asked for no pages. */
export function withoutPages<A extends Abilities>(station: A): A {
  const { categories, unsupportedTypes } = station
  return {
    ...station,
    categories: categories.filter((id) => !pageCategories.some((category) => category === id)),
    unsupportedTypes: [...new Set([...unsupportedTypes, ...pageTypeIds])],
  }
}
