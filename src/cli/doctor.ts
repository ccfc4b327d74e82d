import { Command } from 'commander'
import { version } from '../config/config.ts'
import { besideRunningApi, configOf } from './configured.ts'
import { examine } from './examine/examine.ts'
import type { FindingState } from './examine/finding.ts'
import { print, table } from './print.ts'

const marks: Readonly<Record<FindingState, string>> = { ok: 'ok', note: 'i', missing: '--', fault: '!!' }
/** The exit code when a person has to act. */
const faultCode = 2

interface Flags {
  readonly json?: boolean
  readonly offline?: boolean
}

async function doctor(flags: Flags, command: Command): Promise<void> {
  const findings = await examine(await besideRunningApi(configOf(command)), { isOffline: flags.offline === true })
  const platform = `${process.platform} ${process.arch}`
  if (flags.json === true) {
    print(JSON.stringify({ version, node: process.version, platform, findings }, null, 2))
  } else {
    print(`Latarnik ${version}, Node ${process.version}, ${platform}\n`)
    print(table(findings.map(({ subject, state, text }) => [marks[state], subject, text])))
    print('\nok: right · i: good to know · --: the program runs without it · !!: a person has to act')
  }
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = faultCode
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('test what this machine can check, and whether the program or a station can start; exit code 2 if not')
    .option('--json', 'as JSON')
    .option('--offline', 'connect only to addresses of the configuration')
    .action(doctor)
}
