import { Command } from 'commander'
import { run } from '../program/run.ts'
import { configPathOf } from './configured.ts'

export function startCommand(): Command {
  return new Command('start')
    .description('start the program, as npm start does')
    .action((_flags: object, command: Command) => run(configPathOf(command)))
}
