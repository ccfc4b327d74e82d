import { parseArgs } from 'node:util'
import { refuse, run } from './program/run.ts'

function configPath(): string | undefined {
  try {
    return parseArgs({ options: { config: { type: 'string' } } }).values.config
  } catch (error) {
    return refuse([`latarnik: ${error instanceof Error ? error.message : String(error)}`])
  }
}

await run(configPath())
