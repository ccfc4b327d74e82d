import { RE2JS } from 're2js'
import { errorText, Failure } from './failure.ts'

const compiled = new Map<string, RE2JS>()
const mostCompiled = 1000

/** Users' patterns run in linear time only: a RegExp of the language can hold the loop for seconds. */
export function matches(setting: string, pattern: string, text: string, flags = 0): boolean {
  const key = `${flags} ${pattern}`
  let program = compiled.get(key)
  if (program === undefined) {
    try {
      program = RE2JS.compile(pattern, flags)
    } catch (error) {
      throw new Failure('setting_invalid', `setting ${setting}: ${errorText(error)}`)
    }
    if (compiled.size >= mostCompiled) compiled.clear()
    compiled.set(key, program)
  }
  return program.matcher(text).find()
}

/** `^` and `$` also match at line ends. */
export const multiline = RE2JS.MULTILINE
