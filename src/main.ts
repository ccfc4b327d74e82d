import { parseArgs } from 'node:util'
import { errorText } from './domain/text/error-text.ts'
import { refuse, run } from './program/run.ts'

function configPath(): string | undefined {
  try {
    return parseArgs({ options: { config: { type: 'string' } } }).values.config
  } catch (error) {
    return refuse([`latarnik: ${errorText(error)}`])
  }
}

await run(configPath())
