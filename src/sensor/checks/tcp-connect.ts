import { Attempt, type CheckOutcome, observe } from '../attempt.ts'
import { type AddressFamily, abandon } from '../dial.ts'
import type { Equipment } from '../equipment.ts'
import { parseHostAndPort } from '../host.ts'
import type { CheckJob } from '../protocol.ts'
import { readInteger } from '../settings.ts'
import type { Sight } from '../sight.ts'

/** Up when the port accepts a connection. */
export function checkTcpConnect(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  sight: Sight,
): Promise<CheckOutcome> {
  const attempt = new Attempt(job.address, readInteger(job.settings, 'timeout'), sight.moreMs)
  return observe(attempt, async () => {
    const { host, port } = parseHostAndPort(job.address, null)
    const addresses = await equipment.dialler.resolve(attempt, host, family)
    const socket = await equipment.dialler.connect(attempt, addresses, port)
    attempt.stop()
    abandon(socket)
  })
}
