import type { AddressFamily } from '../outgoing/dial.ts'
import type { CheckOutcome } from './attempt.ts'
import type { Equipment } from './equipment.ts'
import type { CheckJob } from './protocol.ts'
import type { StallMeter } from './stall-meter.ts'

/** One try of one job. Resolves with a result value whatever the target does. */
export type CheckFunction = (
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
) => Promise<CheckOutcome>
