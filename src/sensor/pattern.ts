import { RE2JS } from 're2js'
import { errorText } from '../domain/error-text.ts'
import { largestPattern, patternSize } from '../domain/pattern-size.ts'
import { Failure } from './failure.ts'
import { PatternThread } from './pattern-thread.ts'

const compiled = new Map<string, RE2JS>()
const mostCompiled = 1000
/** Instructions times characters that take this process a few milliseconds at most. */
const mostSteps = 50_000
const patienceMs = 2000
/** A pattern that took too long is not tried again for so long: it must not hold up those of others. */
const restMs = 5 * 60_000

const thread = new PatternThread()
/** Until when, on the monotonic clock. */
const resting = new Map<string, number>()

/**
 * Whether the pattern is in the text. Users' patterns run in linear time only (RE2), and what may take longer than a moment runs beside
 * the loop, two seconds at most: linear in a megabyte and a thousand instructions can be minutes. Rejects with `setting_invalid`.
 */
export async function matches(setting: string, pattern: string, text: string, flags = 0): Promise<boolean> {
  if (isLiteral(pattern)) return text.includes(pattern)
  const program = programOf(setting, pattern, flags)
  if (program.programSize() * text.length <= mostSteps) return program.matcher(text).find()
  const now = performance.now()
  if ((resting.get(pattern) ?? 0) > now) throw tooSlow(setting)
  const found = await thread.find({ pattern, text, flags }, patienceMs)
  if (found !== null) return found
  if (resting.size >= mostCompiled) resting.clear()
  resting.set(pattern, performance.now() + restMs)
  throw tooSlow(setting)
}

function tooSlow(setting: string): Failure {
  return new Failure('setting_invalid', `setting ${setting} takes too long on this text: more than ${patienceMs} ms`)
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
