import { countLimits } from '../../domain/input/count-limits.ts'
import { escalationChanged } from '../../outbox/escalations.ts'
import { absencesOf } from './absences.ts'

export const escalationSuspensions = absencesOf({
  parent: 'escalations',
  singular: 'escalation',
  about: {
    once: 'One-off times in which an escalation tells nobody: its steps wait until the end.',
    weekly:
      'Times of the week in which an escalation tells nobody, in the zone of its owner: its steps wait until the end.',
  },
  most: { once: countLimits.escalationSuspensions, weekly: countLimits.escalationWeeklySuspensions },
  speaksAnew: (transaction, { nowAt }, { escalation_id: id }) => escalationChanged(transaction, Number(id), nowAt),
})
