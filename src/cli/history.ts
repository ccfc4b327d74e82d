import { Command } from 'commander'
import { dayLength } from '../domain/calendars/durations.ts'
import { rebuildAllRollUps } from '../history/roll-ups.ts'
import { configOf, withDatabase } from './configured.ts'
import { print } from './print.ts'

async function rebuildSums(_flags: object, command: Command): Promise<void> {
  const { retentionDays } = configOf(command)
  const now = Date.now()
  const today = Math.floor(now / dayLength) * dayLength
  const count = await withDatabase(command, (database) =>
    rebuildAllRollUps(database, { keptFromAt: today - retentionDays * dayLength, now }),
  )
  print(`The sums of ${count} ${count === 1 ? 'service' : 'services'} were recomputed.`)
}

export function historyCommand(): Command {
  const history = new Command('history').description('maintain the history of measurements')
  history
    .command('sum')
    .description('recompute the sums behind the charts from the stored analyses')
    .action(rebuildSums)
  return history
}
