#!/usr/bin/env node
import { missingPackage, nodeRefusal } from './requirements.ts'

const refusal = nodeRefusal(process.versions.node)
if (refusal === null) {
  try {
    const { runCommandLine } = await import('./cli/command-line.ts')
    await runCommandLine()
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === null) throw error
    process.stderr.write(`${missing}\n`)
    process.exitCode = 2
  }
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
}
