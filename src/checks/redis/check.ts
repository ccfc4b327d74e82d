import type { ErrorTypeSymbol } from '../../domain/judging/error-types.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { expectAnswer } from '../../sensor/expected-answer.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { readInteger, readOptionalText, readText } from '../../sensor/settings.ts'
import { readRedisReply, redisCommand } from './reply.ts'

/** Up when a Redis server answers a command that reads, as expected where something is expected. */
export const checkRedis: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async ({ settings, attempt, line }) => {
    const [username, password] = [readOptionalText(settings, 'username'), readOptionalText(settings, 'password')]
    if (password !== null) {
      await ask(line, ['AUTH', ...(username === null ? [] : [username]), password], 'login_refused')
    }
    const database = readInteger(settings, 'database_number')
    if (database > 0) await ask(line, ['SELECT', String(database)], 'query_refused')
    const command = wordsOf(readText(settings, 'command'))
    const answer = await ask(line, command, 'query_refused')
    attempt.stop()
    if (answer === null && readOptionalText(settings, 'expected_answer_regex') !== null) {
      throw new Failure('value_missing', `${command[0]} gives no value`)
    }
    await expectAnswer(attempt, answer ?? '', job)
  })

async function ask(line: ProtocolLine, parts: readonly string[], otherwise: ErrorTypeSymbol): Promise<string | null> {
  line.send(redisCommand(parts))
  const reply = await readRedisReply(line)
  if (!('error' in reply)) return reply.text
  const symbol = reasons.find(([pattern]) => pattern.test(reply.error))?.[1] ?? otherwise
  throw new Failure(symbol, reply.error)
}

const reasons: readonly (readonly [RegExp, ErrorTypeSymbol])[] = [
  [/^NOAUTH\b/, 'login_required'],
  [/^WRONGPASS\b/, 'login_refused'],
  [/^(LOADING|MASTERDOWN|BUSY|DENIED|CLUSTERDOWN)\b|max number of clients/, 'protocol_refused'],
]

/** Words between spaces; one in double quotes may hold spaces. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole)
}
