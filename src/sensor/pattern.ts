import { RE2JS } from 're2js'
import { largestPattern, patternSize } from '../domain/services/pattern-size.ts'
import { errorText } from '../domain/text/error-text.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Turn } from './fair-queue.ts'
import type { PathAnswer, PathWork } from './path-values.ts'
import { PatternThread, type Unfinished } from './pattern-thread.ts'
import type { CheckJob } from './protocol.ts'

const compiled = new Map<string, RE2JS>()
const mostCompiled = 1000
/** Instructions times characters that take this process a few milliseconds at most. */
const mostSteps = 50_000
/**
 * Shorter than the time that rounds wait beyond a check's timeout. A check behind one other search is still in time.
 */
const patienceMs = 1500
/** Kept free before the deadline, because a late result is lost. */
const handOverMs = 250
/** A third of the thread for each account, while others use it too. */
const budget = { budgetMs: 20_000, windowMs: 60_000 } as const
/** How long a pattern that took too long is not tried again. It must not delay the account's other patterns. */
const restMs = 5 * 60_000

const thread = new PatternThread({ patienceMs, ...budget })
/** By owner and pattern, or owner and paths: until when, on the monotonic clock. */
const resting = new Map<string, number>()

/** A pattern from a service's setting. */
export interface WantedPattern {
  readonly setting: string
  readonly pattern: string
  readonly flags?: number
}

/** The check that searches, and its deadline. */
export type Asker = Pick<CheckJob, 'ownerKey' | 'deadlineAt'>

/** True if the text matches the pattern. Rejects as `matchesEach` does. */
export async function matches(wanted: WantedPattern, text: string, asker: Asker): Promise<boolean> {
  return (await matchesEach(wanted, [text], asker))[0] === true
}

/**
 * Which of the texts match the pattern. Users' patterns run in linear time only (RE2), but a megabyte times a thousand
 * instructions can still take minutes. Searches that may be long run in a thread of their own, where accounts take
 * turns. Rejects with `setting_invalid`, or with `pattern_late` or `pattern_budget_used` if the
 * search could not finish.
 */
export async function matchesEach(
  wanted: WantedPattern,
  texts: readonly string[],
  asker: Asker,
): Promise<readonly boolean[]> {
  const { setting, pattern, flags = 0 } = wanted
  if (isLiteral(pattern)) return texts.map((text) => text.includes(pattern))
  const program = programOf(setting, pattern, flags)
  const length = texts.reduce((sum, text) => sum + text.length, texts.length - 1)
  if (program.programSize() * length <= mostSteps) return texts.map((text) => program.matcher(text).find())
  const ownerKey = asker.ownerKey ?? ''
  const restKey = `${ownerKey} ${flags} ${pattern}`
  if (isResting(restKey)) throw unfound(setting, 'slow')
  const found = await thread.find({ pattern, texts, flags, ...turnOf(asker) })
  if (typeof found !== 'string') return found
  if (found === 'slow') rest(restKey)
  throw unfound(setting, found)
}

/**
 * The values of paths in a JSON or XML text, found in the same thread, where accounts take turns. Rejects with
 * `assertion_not_evaluated`, or with `pattern_late` or `pattern_budget_used`, if that could not finish.
 */
export async function findPaths(work: PathWork, asker: Asker): Promise<PathAnswer> {
  const restKey = `${asker.ownerKey ?? ''} ${work.kind} ${JSON.stringify(work.paths)}`
  if (isResting(restKey)) throw unfoundPath('slow')
  const found = await thread.findPaths(work, turnOf(asker))
  if (typeof found !== 'string') return found
  if (found === 'slow') rest(restKey)
  throw unfoundPath(found)
}

function turnOf({ ownerKey = '', deadlineAt }: Asker): Turn {
  return { ownerKey, endsAt: performance.now() + deadlineAt - handOverMs - Date.now() }
}

function unfoundPath(reason: Unfinished): Failure {
  if (reason !== 'slow') return unfound('assertions', reason)
  return new Failure('assertion_not_evaluated', `the paths take more than ${patienceMs} ms or too much memory here`)
}

function isResting(key: string): boolean {
  return (resting.get(key) ?? 0) > performance.now()
}

function rest(key: string): void {
  const [oldest] = resting.keys()
  if (resting.size >= mostCompiled && oldest !== undefined) resting.delete(oldest)
  resting.delete(key)
  resting.set(key, performance.now() + restMs)
}

function unfound(setting: string, reason: Unfinished): Failure {
  const what = `setting ${setting}`
  if (reason === 'slow')
    return new Failure('setting_invalid', `${what} takes too long on this text: more than ${patienceMs} ms`)
  if (reason === 'late') return new Failure('pattern_late', `no time for ${what} before the end of the check`)
  if (reason === 'broken') return new Failure('sensor_fault', `the thread that searches for ${what} does not start`)
  const [used, window] = [budget.budgetMs / 1000, budget.windowMs / 1000]
  const text = `${what} was not searched: the account has used its ${used} s in ${window} s, and others wait`
  return new Failure('pattern_budget_used', text)
}

function isLiteral(pattern: string): boolean {
  return !/[\\.*+?()[\]{}|^$]/.test(pattern)
}

function programOf(setting: string, pattern: string, flags: number): RE2JS {
  const key = `${flags} ${pattern}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  if (patternSize(pattern) > largestPattern)
    throw new Failure('setting_invalid', `setting ${setting} is too large a pattern`)
  try {
    const program = RE2JS.compile(pattern, flags)
    if (compiled.size >= mostCompiled) compiled.clear()
    compiled.set(key, program)
    return program
  } catch (error) {
    throw new Failure('setting_invalid', `setting ${setting}: ${errorText(error)}`)
  }
}

/** `^` and `$` also match at line ends. */
export const multiline = RE2JS.MULTILINE
