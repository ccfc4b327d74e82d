import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { readLineLogin } from '../../sensor/line-login.ts'
import { imapAnswer, imapGreeting, startTls } from '../../sensor/starttls.ts'

/** Up when the mail store greets, and lets the user in where one is named. */
export const checkImap: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt, secure } = conversation
    const login = readLineLogin(conversation)
    let isIn = false
    if (settings['tls'] === 'starttls') {
      await startTls.imap(line)
      await secure()
    } else isIn = await imapGreeting(line)
    if (login !== null && !isIn) {
      line.send(`a1 LOGIN ${quoted(login.username)} ${quoted(login.password)}\r\n`)
      const { isOk, isUnknown, text } = await imapAnswer(line, 'a1')
      if (!isOk) throw new Failure(isUnknown ? 'protocol_refused' : reasonOf(text), text)
    }
    line.send('a2 LOGOUT\r\n')
    await imapAnswer(line, 'a2')
    attempt.stop()
  })

/** RFC 5530: why it was refused. */
function reasonOf(text: string): 'login_unsafe' | 'protocol_refused' | 'login_refused' {
  if (/\[PRIVACYREQUIRED\]/i.test(text)) return 'login_unsafe'
  return /\[(UNAVAILABLE|SERVERBUG|LIMIT)\]/i.test(text) ? 'protocol_refused' : 'login_refused'
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
