import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandLine } from '../../src/cli/command-line.ts'

function withAllBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)]
}

test('the help of every command fits a terminal of 80 columns', async () => {
  const commands = withAllBelow(await commandLine())
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

test('a command that is named is read alone, and is the same as among all', async () => {
  const all = await commandLine()
  for (const { name, help } of all.commands.map((command) => ({
    name: command.name(),
    help: command.helpInformation(),
  }))) {
    const { commands } = await commandLine(name)
    expect(commands.map((command) => command.name())).toEqual([name])
    expect(commands[0]?.helpInformation()).toBe(help)
  }
})
