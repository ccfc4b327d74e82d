import { Command } from 'commander'
import { version } from '../config.ts'
import { configOf } from './configured.ts'
import { examine } from './examine.ts'
import { print, table } from './print.ts'

async function doctor(_flags: object, command: Command): Promise<void> {
  const findings = await examine(configOf(command))
  print(`Latarnik ${version}, Node ${process.version}, ${process.platform} ${process.arch}\n`)
  print(table(findings.map(({ subject, isRight, text }) => [isRight ? 'ok' : '!!', subject, text])))
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('try what this machine can check and whether the program can start')
    .action(doctor)
}
