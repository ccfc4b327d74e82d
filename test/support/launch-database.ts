// A separate program that launches the bundled server, so that a test can kill it. It prints one line when it is ready,
// and stops on `stop`.
import { startEmbedded } from '../../src/database/embedded.ts'
import { DatabaseUnusable } from '../../src/database/unusable.ts'
import { silentLog } from './log.ts'

const [dataDirectory = '', packageDirectory] = process.argv.slice(2)

function say(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

try {
  const server = await startEmbedded({
    dataDirectory,
    log: silentLog,
    ...(packageDirectory === undefined ? {} : { packageDirectory }),
  })
  say({ url: server.url })
  process.stdin.once('data', async () => {
    await server.stop()
    process.exit(0)
  })
} catch (error) {
  if (!(error instanceof DatabaseUnusable)) throw error
  say({ refusal: error.message })
  process.exit(2)
}
