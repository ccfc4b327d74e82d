import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { readLineLogin } from '../../sensor/line-login.ts'
import { askCoded, codedText, readCodedReply } from '../../sensor/reply-codes.ts'
import { startTls } from '../../sensor/starttls.ts'

/** Up when the server greets, and lets the user in where one is named. */
export const checkFtp: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt, secure } = conversation
    const login = readLineLogin(conversation)
    if (settings['tls'] === 'starttls') {
      await startTls.ftp(line)
      await secure()
    } else {
      const greeting = await readCodedReply(line)
      if (greeting.code !== 220) throw new Failure('protocol_refused', codedText(greeting))
    }
    if (login !== null) {
      const named = await askCoded(line, `USER ${login.username}`)
      const reply = named.code === 331 ? await askCoded(line, `PASS ${login.password}`) : named
      if (reply.code === 421) throw new Failure('protocol_refused', codedText(reply))
      if (![230, 202, 232].includes(reply.code)) throw new Failure('login_refused', codedText(reply))
    }
    await askCoded(line, 'QUIT')
    attempt.stop()
  })
