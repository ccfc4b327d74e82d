import { useReader } from '../reader.tsx'
import { administratorSections, type Section, sections } from './sections.ts'

/** The parts of the console for whoever is logged in: administrators have no services, and nobody else what they see. */
export function useSections(): readonly Section[] {
  return useReader().isAdministrator ? administratorSections : sections
}
