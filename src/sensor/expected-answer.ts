import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { matches } from './pattern.ts'
import type { CheckJob } from './protocol.ts'
import { readOptionalText } from './settings.ts'

/** True if the answer matches the setting `expected_answer_regex`, or if that is empty. */
export async function isExpected(text: string, job: CheckJob): Promise<boolean> {
  const pattern = readOptionalText(job.settings, 'expected_answer_regex')
  return pattern === null || (await matches({ setting: 'expected_answer_regex', pattern }, text, job))
}

/** The failure of an answer that does not match; it does not repeat the answer. */
export function unexpectedAnswer({ settings }: CheckJob): Failure {
  const pattern = readOptionalText(settings, 'expected_answer_regex')
  return new Failure('content_missing', `the answer does not match ${JSON.stringify(pattern)}`)
}

/** Ends the target's time and judges its answer. Rejects with `content_missing`. */
export async function expectAnswer(attempt: Attempt, text: string, job: CheckJob): Promise<void> {
  attempt.stop()
  if (!(await isExpected(text, job))) throw unexpectedAnswer(job)
}

/** Waits until the received bytes match; they may arrive in pieces. Checks at most twenty times a second. */
export async function awaitExpected(
  attempt: Attempt,
  more: () => Promise<Buffer>,
  job: CheckJob,
  longest = 65_536,
): Promise<void> {
  let text = ''
  for (;;) {
    const piece = await more().catch((error: unknown) => {
      const isEnd = error instanceof Failure && error.symbol === 'protocol_closed'
      throw isEnd && text !== '' ? unexpectedAnswer(job) : error
    })
    // Each byte is a character, so that a pattern can name any of them.
    text = (text + piece.toString('latin1')).slice(-longest)
    if (await isExpected(text, job)) return attempt.stop()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const pauseMs = 50
