import { ApiRefuses } from '../configuration/api.ts'
import { FaultyConfiguration, faultText } from '../configuration/fault.ts'
import { CannotStart } from '../program/cannot-start.ts'

/** The exit code of a command that failed. */
export const failedCode = 1

export function tell(line: string): void {
  process.stderr.write(`latarnik: ${line}\n`)
}

/** A file that is not right ends with the code of an error, with all its faults. */
export async function orFaults(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.exitCode = failedCode
    if (error instanceof FaultyConfiguration) for (const fault of error.faults) tell(faultText(fault))
    else if (error instanceof CannotStart || error instanceof ApiRefuses) tell(error.message)
    else throw error
  }
}
