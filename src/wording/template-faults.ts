import type { TemplateFault } from '../domain/notification/template.ts'
import { templateFilters } from '../domain/notification/template-check.ts'
import { fill } from './fill.ts'
import type { Language } from './language.ts'
import { catalogues } from './texts.ts'

/** The fault in a template, its place, and the expected text. */
export function templateFaultText(fault: TemplateFault): Readonly<Record<Language, string>> {
  const of = (language: Language) => {
    const { faults, place } = catalogues[language].templates
    const { name, line, column } = fault
    return fill([place], { line, column, fault: fill([faults[fault.problem]], { name, filters }) })
  }
  return { en: of('en'), pl: of('pl') }
}

const filters = Object.keys(templateFilters).join(', ')
