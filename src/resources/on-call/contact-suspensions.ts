import { countLimits } from '../../domain/input/count-limits.ts'
import { absencesOf } from './absences.ts'

/** Every message asks for them when it is decided: nothing follows from a change. */
export const contactSuspensions = absencesOf({
  parent: 'contacts',
  singular: 'contact',
  about: {
    once: 'One-off times in which a contact is off duty: it is told nothing but the end of failures that it was told of.',
    weekly:
      'Times of the week in which a contact is off duty, in its own time zone: it is told nothing but the end of failures that it was told of.',
  },
  most: { once: countLimits.contactSuspensions, weekly: countLimits.contactWeeklySuspensions },
})
