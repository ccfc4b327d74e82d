import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { expectAnswer } from '../../sensor/expected-answer.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

const mostLinesBefore = 50

/** Up when the server says which SSH it speaks, version 2, and goes on to agree on keys. */
export const checkSsh: CheckFunction = (job, equipment, family, sight) =>
  converse(job, equipment, { family, sight }, async ({ line, attempt }) => {
    // Other lines may come before (RFC 4253, section 4.2).
    let banner = await line.readLine()
    for (let count = 0; !banner.startsWith('SSH-'); count += 1) {
      if (count >= mostLinesBefore || /^Exceeded MaxStartups|^Not allowed/i.test(banner)) {
        throw new Failure(count === 0 ? 'protocol_refused' : 'protocol_not_spoken', banner.slice(0, 200))
      }
      banner = await line.readLine()
    }
    if (!/^SSH-(2\.0|1\.99)-/.test(banner)) throw notSpoken(banner)
    line.send('SSH-2.0-Latarnik\r\n')
    // The first packet offers methods (SSH_MSG_KEXINIT): who limits connections hangs up here.
    const head = await line.take(6)
    if (head[5] !== 20) throw notSpoken(head.toString('latin1'))
    await expectAnswer(attempt, banner, job)
  })
