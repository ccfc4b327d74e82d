import type { AddressFamily } from '../../outgoing/dial.ts'
import { parseHost } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readInteger } from '../../sensor/settings.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

/** Up when an echo request is answered. The response time is the round trip alone. */
export function checkPing(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const bytes = readInteger(job.settings, 'bytes_to_send')
  const attempt = new Attempt(job.address, readInteger(job.settings, 'reply_timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const [address] = await equipment.dialler.resolve(attempt, parseHost(job.address), family)
    attempt.evidence.ip_address = address.ip
    attempt.enter('first_byte', 'ping_no_reply')
    attempt.responseMs = await equipment.pinger.ping(attempt, address, bytes)
    attempt.stop()
    attempt.dataSize = bytes
  })
}
