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

/** They read the history of all services, and wait for all machines. */
const ofAll =
  /^src\/(resources\/system\/state|accountability\/figures|history\/recent-rounds|history\/packed\/|database\/(services\/measured-services|partitions|dump\/))/

/** The program finds services in a statement, to know its machine (`src/database/lost-machines.ts`). */
async function ofNobody(own: readonly (readonly [text: string, origin: string])[]): Promise<string[]> {
  const { placesOfServices, readsHistory } = await import('../../src/database/history-reads.ts')
  return own
    .filter(([text, origin]) => readsHistory(text) && placesOfServices(text).length === 0 && !ofAll.test(origin))
    .map(([text, origin]) => `${origin}: no \`service_id = $…\` says whose history it is\n    ${text.slice(0, 3000)}`)
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
  refused.push(...(await ofNobody(own)))
  if (refused.length > 0) throw new Error(`A cluster would refuse:\n${refused.join('\n')}`)
})
