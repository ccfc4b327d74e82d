import { randomBytes } from 'node:crypto'
import { askOnce } from '../../outgoing/datagram.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt, observe } from '../../sensor/attempt.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { readInteger } from '../../sensor/settings.ts'
import { wallTime } from '../../sensor/wall-time.ts'

const packetBytes = 48
/** Version 4, a client. */
const clientMode = 0x23
/** The epoch of NTP (1900), in seconds before 1970. */
const epoch = 2_208_988_800

/** Up when a time server answers with a time that its clock and ours agree on (RFC 5905). */
export const checkNtp: CheckFunction = (job, equipment, family, stallMeter) => {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const { host, port } = parseHostAndPort(job.address, readInteger(settings, 'port'))
    const [address] = await equipment.dialler.resolve(attempt, host, family)
    attempt.evidence.ip_address = address.ip
    attempt.enter('first_byte', 'udp_no_answer')
    /** By what only the server can know: when it was sent, Unix milliseconds. */
    const sent = new Map<string, number>()
    const answer = await askOnce(attempt, { address, port }, () => {
      const packet = Buffer.alloc(packetBytes)
      packet[0] = clientMode
      // Our time is nobody's business: any number is given back to us (RFC 5905 calls it the origin timestamp).
      const nonce = randomBytes(8)
      nonce.copy(packet, 40)
      sent.set(nonce.toString('hex'), wallTime())
      return packet
    })
    const receivedAt = wallTime()
    attempt.stop()
    attempt.dataSize = answer.length
    const sentAt = answer.length < packetBytes ? undefined : sent.get(answer.toString('hex', 24, 32))
    if (sentAt === undefined || ((answer[0] ?? 0) & 7) !== 4) {
      throw new Failure('protocol_not_spoken', 'the answer is none to the question')
    }
    const offset = (timeAt(answer, 32) - sentAt + timeAt(answer, 40) - receivedAt) / 2
    judge(answer, offset, {
      maximumOffset: readInteger(settings, 'maximum_offset'),
      maximumStratum: readInteger(settings, 'maximum_stratum'),
    })
  })
}

interface Limits {
  /** Milliseconds. */
  readonly maximumOffset: number
  readonly maximumStratum: number
}

function judge(answer: Buffer, offset: number, { maximumOffset, maximumStratum }: Limits): void {
  const stratum = answer[1] ?? 0
  // A kiss of death says by four letters why we are not served (section 7.4).
  if (stratum === 0) throw new Failure('protocol_refused', `code ${JSON.stringify(answer.toString('latin1', 12, 16))}`)
  const isUnsure = (answer[0] ?? 0) >> 6 === 3
  if (isUnsure || stratum > maximumStratum) {
    throw new Failure('server_clock_unsynchronised', isUnsure ? 'not synchronised' : `stratum ${stratum}`)
  }
  if (Math.abs(offset) <= maximumOffset) return
  throw new Failure('server_clock_off', `${Math.round(offset)} ms off, wanted at most ${maximumOffset} ms`)
}

/** Seconds since 1900 and fractions; what would be before 1968 is of the next era. */
function timeAt(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at)
  const era = seconds < 0x80000000 ? 2 ** 32 : 0
  return (seconds + era - epoch + packet.readUInt32BE(at + 4) / 2 ** 32) * 1000
}
