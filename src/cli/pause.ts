import { Command, InvalidArgumentError } from 'commander'
import { CannotStart } from '../program/cannot-start.ts'
import { pauseServices, type Refusals, resumeServices, type Selection } from './maintenance.ts'
import { print } from './print.ts'
import { type RemoteFlags, remoteOf, remoteOptions } from './remote.ts'
import { momentOf, spanOf } from './time-span.ts'

interface PauseFlags extends Selection, RemoteFlags {
  readonly for?: number
  readonly until?: number
  readonly description: string
  readonly onlyNotifications?: boolean
  readonly json?: boolean
}

interface ResumeFlags extends Selection, RemoteFlags {
  readonly json?: boolean
}

/** Some services could not be changed. */
const partlyCode = 1
const longestDescription = 900

function repeated(given: string, earlier: readonly string[] | undefined): readonly string[] {
  if (given.trim() === '') throw new InvalidArgumentError('It must not be empty')
  return [...(earlier ?? []), given.trim()]
}

function descriptionOf(given: string): string {
  if (given.length > longestDescription) throw new InvalidArgumentError(`At most ${longestDescription} characters`)
  return given.trim()
}

function services(count: number): string {
  return count === 1 ? '1 service' : `${count} services`
}

function tellRefusals(refusals: Refusals): void {
  if (refusals.size === 0) return
  process.exitCode = partlyCode
  for (const [text, count] of refusals) process.stderr.write(`latarnik: ${services(count)} not changed. ${text}\n`)
}

function endOf({ for: span, until }: PauseFlags, now: number): number {
  if ((span === undefined) === (until === undefined))
    throw new CannotStart('Say how long: --for 15m, or --until 08:00.')
  return until ?? now + (span ?? 0)
}

async function pause(flags: PauseFlags): Promise<void> {
  const now = Date.now()
  const until = Math.ceil(endOf(flags, now) / 1000) * 1000
  const order = { until, now, onlyNotifications: flags.onlyNotifications === true, description: flags.description }
  const { made, extended, kept, follows, refusals } = await pauseServices(remoteOf(flags), flags, order)
  const untilText = new Date(until).toISOString()
  if (flags.json === true)
    print(JSON.stringify({ made, extended, kept, follows, until: untilText, refused: [...refusals] }))
  else {
    const others = [
      ...(extended > 0 ? [`${services(extended)} paused longer than before`] : []),
      ...(kept > 0 ? [`${services(kept)} paused long enough already`] : []),
      ...(follows.length > 0 ? [`services that come until then are paused, too (${follows.join(', ')})`] : []),
    ]
    print([`${services(made)} paused until ${untilText}`, ...others].join('; '))
  }
  tellRefusals(refusals)
}

async function resume(flags: ResumeFlags): Promise<void> {
  const { ended, areas, refusals } = await resumeServices(remoteOf(flags), flags, Date.now())
  if (flags.json === true) print(JSON.stringify({ ended, areas, refused: [...refusals] }))
  else
    print(ended === 0 && areas.length === 0 ? 'Nothing was paused by `latarnik pause`.' : `${services(ended)} resumed`)
  tellRefusals(refusals)
}

function selecting(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option('--tag <name>', 'services with the tag; may be repeated', repeated)
    .option('--group <name or id>', 'services of the group; may be repeated', repeated)
    .option('--service <name or id>', 'one service; may be repeated', repeated)
    .option('--all', 'every service that the login may suspend')
    .option('--json', 'as JSON')
  for (const option of remoteOptions()) command.addOption(option)
  return command
}

export function pauseCommand(): Command {
  return selecting('pause', 'suspend services of an installation, as during a deployment')
    .option('--for <span>', 'how long: 15m, 1h30m, 2d', spanOf)
    .option('--until <time>', 'until when: 08:00, or 2026-12-24T08:00:00Z', (given) => momentOf(given, Date.now()))
    .option('--description <text>', 'why; everybody who sees the service can read it', descriptionOf, '')
    .option('--only-notifications', 'go on checking, only notify nobody')
    .action(pause)
}

export function resumeCommand(): Command {
  return selecting('resume', 'end what `latarnik pause` suspended').action(resume)
}
