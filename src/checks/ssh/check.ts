import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { expectAnswer } from '../../sensor/expected-answer.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText, readText } from '../../sensor/settings.ts'
import { type HostKeyKind, hostKeyKinds, provenFingerprint } from './host-key.ts'
import { messages, readPacket } from './wire.ts'

const mostLinesBefore = 50

/** Succeeds if the server speaks SSH version 2, offers keys, and proves to have the expected one if one is set. */
export const checkSsh: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async ({ line, attempt, settings }) => {
    // Other lines may come before (RFC 4253, section 4.2).
    let banner = await line.readLine()
    for (let count = 0; !banner.startsWith('SSH-'); count += 1) {
      if (count >= mostLinesBefore || /^Exceeded MaxStartups|^Not allowed/i.test(banner)) {
        throw new Failure(count === 0 ? 'protocol_refused' : 'protocol_not_spoken', banner.slice(0, 200))
      }
      banner = await line.readLine()
    }
    if (!/^SSH-(2\.0|1\.99)-/.test(banner)) throw notSpoken(banner)
    line.send(`${own}\r\n`)
    // A server that limits connections hangs up here.
    const offer = await readPacket(line)
    if (offer[0] !== messages.keyExchangeInit) throw notSpoken(`packet ${offer[0]}`)
    const wanted = readOptionalText(settings, 'host_key_fingerprint')
    if (wanted !== null) {
      const shown = await provenFingerprint(
        line,
        offer,
        { own, server: banner },
        kindOf(readText(settings, 'host_key_kind')),
      )
      attempt.stop()
      if (shown !== wanted) throw new Failure('host_key_differs', `${shown}, wanted ${wanted}`)
    }
    await expectAnswer(attempt, banner, job)
  })

const own = 'SSH-2.0-Latarnik'

function kindOf(text: string): HostKeyKind {
  if (Object.hasOwn(hostKeyKinds, text)) return text as HostKeyKind
  throw new Failure('setting_invalid', `setting host_key_kind ${JSON.stringify(text)}`)
}
