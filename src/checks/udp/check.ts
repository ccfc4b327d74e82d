import { escapedBytes } from '../../domain/text/escaped-bytes.ts'
import { askOnce } from '../../outgoing/datagram.ts'
import type { AddressFamily } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { expectAnswer } from '../../sensor/expected-answer.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readInteger, readOptionalText } from '../../sensor/settings.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

/** Up when the port answers a datagram as expected. */
export function checkUdp(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const question = escapedBytes(readOptionalText(settings, 'text_to_send') ?? '')
    if (question === undefined) throw new Failure('setting_invalid', 'setting text_to_send has a stray backslash')
    const { host, port } = parseHostAndPort(job.address, null)
    const [address] = await equipment.dialler.resolve(attempt, host, family)
    attempt.evidence.ip_address = address.ip
    attempt.enter('first_byte', 'udp_no_answer')
    const answer = await askOnce(attempt, { address, port }, question)
    attempt.dataSize = answer.length
    // Each byte is a character, so that a pattern can name any of them.
    await expectAnswer(attempt, answer.toString('latin1'), job)
  })
}
