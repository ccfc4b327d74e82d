#!/usr/bin/env node
import { nodeRefusal } from './node-version.ts'

const refusal = nodeRefusal(process.versions.node)
if (refusal === null) {
  const { runCommandLine } = await import('./cli/command-line.ts')
  await runCommandLine()
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
}
