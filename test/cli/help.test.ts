import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandLine } from '../../src/cli/command-line.ts'

function withAllBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)]
}

test('the help of every command fits a terminal of 80 columns', () => {
  const commands = withAllBelow(commandLine())
  expect(commands.length).toBeGreaterThan(30)
  const long = commands.flatMap((command) =>
    command
      .helpInformation()
      .split('\n')
      .filter((line) => line.length > 80)
      .map((line) => `${command.name()}: ${line}`),
  )
  expect(long).toEqual([])
})
