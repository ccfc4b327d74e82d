import { escapedBytes } from '../../domain/text/escaped-bytes.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { awaitExpected } from '../../sensor/expected-answer.ts'
import { readOptionalText, readText } from '../../sensor/settings.ts'
import { type StartTlsProtocol, startTls, startTlsProtocols } from '../../sensor/starttls.ts'

/** Up when the port speaks good TLS, at once or after STARTTLS, and answers as expected where something is expected. */
export const checkTls: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async ({ settings, attempt, line, secure }) => {
    const protocol = readText(settings, 'starttls')
    if (isStartTlsProtocol(protocol)) await startTls[protocol](line)
    else if (protocol !== 'off') throw new Failure('setting_invalid', `setting starttls ${JSON.stringify(protocol)}`)
    await secure()
    const sent = readOptionalText(settings, 'text_to_send')
    if (sent === null && readOptionalText(settings, 'expected_answer_regex') === null) return
    const bytes = escapedBytes(sent ?? '')
    if (bytes === undefined) throw new Failure('setting_invalid', 'setting text_to_send has a stray backslash')
    if (bytes.length > 0) line.send(bytes)
    await awaitExpected(attempt, () => line.takeAll(), job)
  })

function isStartTlsProtocol(text: string): text is StartTlsProtocol {
  return startTlsProtocols.some((protocol) => protocol === text)
}
