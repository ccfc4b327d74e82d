// Holds every statement that the program says in a test to what Citus takes; the tests' own are left alone.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { takeHeard } from './heard-statements.ts'

/** Each statement of a run is checked once. */
function isFirst(directory: string, text: string): boolean {
  try {
    writeFileSync(join(directory, createHash('sha1').update(text).digest('hex')), '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

afterAll(async () => {
  const { url, directory } = inject('statementGuard')
  const own = takeHeard().filter(([text]) => isFirst(directory, text))
  if (own.length === 0) return
  const { openJudge } = await import('./citus-judge.ts')
  const judge = await openJudge(url)
  const refused: string[] = []
  for (const [text, origin] of own) {
    const why = await judge.refusals(text)
    if (why.length > 0) refused.push(`${origin}: ${why.join('; ')}\n    ${text.replaceAll(/\s+/g, ' ').slice(0, 3000)}`)
  }
  await judge.close()
  if (refused.length > 0) throw new Error(`Citus would refuse:\n${refused.join('\n')}`)
})
