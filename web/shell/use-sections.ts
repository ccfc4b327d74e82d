import { useReader } from '../reader.tsx'
import { administratorSections, type Section, sections } from './sections.ts'

/**
 * The sections for the logged-in user: administrators have no services, and customers have none of the administrators'
 * sections.
 */
export function useSections(): readonly Section[] {
  return useReader().isAdministrator ? administratorSections : sections
}
