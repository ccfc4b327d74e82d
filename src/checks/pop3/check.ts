import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { readLineLogin } from '../../sensor/line-login.ts'
import { pop3Answer, startTls } from '../../sensor/starttls.ts'

/** Up when the mailbox server greets, and lets the user in where one is named. */
export const checkPop3: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt, secure } = conversation
    const login = readLineLogin(conversation)
    if (settings['tls'] === 'starttls') {
      await startTls.pop3(line)
      await secure()
    } else await pop3Answer(line, 'protocol_refused')
    if (login !== null) {
      line.send(`USER ${login.username}\r\n`)
      await pop3Answer(line, 'login_refused')
      line.send(`PASS ${login.password}\r\n`)
      await pop3Answer(line, 'login_refused')
    }
    line.send('QUIT\r\n')
    await pop3Answer(line, 'protocol_refused')
    attempt.stop()
  })
