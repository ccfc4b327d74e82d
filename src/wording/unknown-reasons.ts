import { type UnknownReason, unknownReasons } from '../domain/judging/unknown-reason.ts'
import { errorTypeText } from './error-types.ts'
import type { Language } from './language.ts'
import { catalogues } from './texts.ts'

/**
 * Why nothing is known about a service, in a sentence or two. A reason that this version does not know counts as a
 * fault of the sensor.
 */
export function unknownReasonText(id: string, language: Language): string {
  const reason: UnknownReason = unknownReasons.find((known) => known === id) ?? 'sensor_fault'
  return reason === 'no_sensor' || reason === 'no_capable_sensor'
    ? catalogues[language].warnings[reason]
    : errorTypeText(reason, language).description
}
