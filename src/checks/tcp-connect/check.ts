import { type AddressFamily, abandon } from '../../outgoing/dial.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readInteger } from '../../sensor/settings.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

/** Up when the port accepts a connection. */
export function checkTcpConnect(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const attempt = new Attempt(job.address, readInteger(job.settings, 'timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const { host, port } = parseHostAndPort(job.address, null)
    const addresses = await equipment.dialler.resolve(attempt, host, family)
    const socket = await equipment.dialler.connect(attempt, addresses, port)
    attempt.stop()
    abandon(socket)
  })
}
