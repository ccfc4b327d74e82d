import type { Check } from '../api/answers.ts'
import { useFormat } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

/** The sentences that the core writes about a heartbeat (src/domain/services/heartbeat-message.ts). */
const forms = [
  ['late', /^no report that was expected at (\S+Z)$/],
  ['overrun', /^no end of the run that started at (\S+Z)$/],
  ['reported', /^failure reported at (\S+Z)$/],
] as const
const exited = /^exit status (\d+) reported at (\S+Z)$/

/** The sentence of a check: a heartbeat's in the reader's language and zone, a station's as it is. */
export function useErrorText() {
  const { heartbeat } = useWords(partWords)
  const format = useFormat()
  return ({
    sensor_id: sensorId,
    error_message: message,
  }: Pick<Check, 'sensor_id' | 'error_message'>): string | null => {
    if (message === null || sensorId !== null) return message
    for (const [name, form] of forms) {
      const since = form.exec(message)?.[1]
      if (since !== undefined) return heartbeat[name](format.moment(since))
    }
    const [, status, since] = exited.exec(message) ?? []
    return since === undefined ? message : heartbeat.exited(Number(status), format.moment(since))
  }
}
