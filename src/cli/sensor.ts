import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../config/config.ts'
import { degrees } from '../config/variable.ts'
import { type CoordinateName, coordinateBounds } from '../domain/services/coordinates.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { isLoopback, urlOf } from '../program/listen.ts'
import { besideRunningApi, configOf, configPathOf, withDatabase } from './configured.ts'
import { print, table } from './print.ts'
import { runSensor, type SensorFlags } from './run-sensor.ts'
import { type AddedSensor, addSensor, listSensors, revokeSensor } from './sensors.ts'

/** Called once per name. */
function sensorNamesOf(given: string, earlier: readonly string[] | undefined): readonly string[] {
  if (given.trim() === '' || given.length > 200) throw new InvalidArgumentError('It must be 1 to 200 characters')
  return [...(earlier ?? []), given]
}

function degreesOf(name: CoordinateName): (given: string) => number {
  const { minimum, maximum } = coordinateBounds[name]
  const schema = degrees(coordinateBounds[name])
  return (given) => {
    const outcome = schema.safeParse(given)
    if (outcome.success) return outcome.data
    throw new InvalidArgumentError(`It must be a number of degrees from ${minimum} to ${maximum}`)
  }
}

interface AddFlags {
  readonly city: string
  readonly country: string
  readonly latitude?: number
  readonly longitude?: number
  readonly tokenDirectory?: string
}

async function add(names: readonly string[], flags: AddFlags, command: Command): Promise<void> {
  const { tokenDirectory: directory, ...place } = flags
  const wanted = names.filter((name) => directory === undefined || !hasTokenFile(directory, name))
  if (wanted.length === 0) return print('Every station has its token already.')
  await withDatabase(command, async (database) => {
    for (const name of wanted) {
      const added = await addSensor(database, name, { ...place, now: Date.now() })
      if (directory === undefined) showToken(name, added)
      else await writeToken(directory, name, added)
    }
  })
  print(nextSteps(await besideRunningApi(configOf(command))))
}

/** How to start the station, and what it then waits for. */
function nextSteps({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const isPrivate = publicUrl === undefined && isLoopback(host)
  const isKnown = publicUrl !== undefined || (isPrivate && port !== 0)
  const server = isKnown ? (publicUrl ?? urlOf({ host, port })) : 'ADDRESS_OF_THIS_API'
  return [
    '',
    'On the other machine, where Latarnik is installed too:',
    `  SENSOR_TOKEN=… npx latarnik sensor --server ${server}`,
    'It checks services whose sensor_ids, or whose group’s assigned_sensor_ids, name it.',
    ...(isPrivate
      ? [`Other machines cannot reach ${host}: set HOST=0.0.0.0, or PUBLIC_URL to the address of your proxy.`]
      : []),
  ].join('\n')
}

function showToken(name: string, { id, isNew, token }: AddedSensor): void {
  if (isNew) print(`Station ${id} ${name} was made.`)
  print(`Its token, shown only once: ${token}`)
  if (!isNew) print('The present token stays valid until the station connects with the new one.')
}

function tokenFile(directory: string, name: string): string {
  if (/^\.|[/\\]/.test(name)) throw new CannotStart(`No file can be called ${name}: give the station another name.`)
  return join(directory, name)
}

function hasTokenFile(directory: string, name: string): boolean {
  return existsSync(tokenFile(directory, name))
}

async function writeToken(directory: string, name: string, { id, token }: AddedSensor): Promise<void> {
  const path = tokenFile(directory, name)
  try {
    // The file gets its name only once it is complete, because a station may be looking for it.
    await writeFile(`${path}.new`, `${token}\n`, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (error) {
    throw new CannotStart(`The token of ${name} cannot be written: ${error instanceof Error ? error.message : error}.`)
  }
  print(`Sensor ${id} ${name}: its token is in ${path}.`)
}

async function revoke(name: string, _flags: object, command: Command): Promise<void> {
  await withDatabase(command, (database) => revokeSensor(database, name, Date.now()))
  print(`The tokens of ${name} were revoked.`)
}

async function list(flags: { readonly json?: boolean }, command: Command): Promise<void> {
  const sensors = await withDatabase(command, (database) => listSensors(database, Date.now()))
  if (flags.json === true) return print(JSON.stringify(sensors, null, 2))
  const rows = sensors.map((row) => [
    ...[String(row.id), row.name, row.place, row.categories.join(' '), row.version, row.state],
  ])
  print(table([['ID', 'NAME', 'PLACE', 'CATEGORIES', 'VERSION', 'STATE'], ...rows]))
}

export function sensorCommand(): Command {
  const sensor = new Command('sensor')
    .description('run this machine as a station of a remote core, or manage the stations of this core')
    .option('--server <url>', 'address of the core’s API; or set SENSOR_SERVER')
    .option(
      '--token <token>',
      'the token from `latarnik sensor add`; safer in SENSOR_TOKEN, which other users cannot see',
    )
    .action((flags: SensorFlags, command: Command) => runSensor(configPathOf(command), flags))
  sensor
    .command('add')
    .description('create stations, or find existing ones, and issue a token for each')
    .argument('<names...>', 'the stations’ names', sensorNamesOf)
    .addOption(new Option('--city <city>', 'where it stands').default('', 'none'))
    .addOption(new Option('--country <country>', 'where it stands').default('', 'none'))
    .option('--latitude <degrees>', 'latitude on the map: degrees north of the equator', degreesOf('latitude'))
    .option('--longitude <degrees>', 'longitude on the map: degrees east of Greenwich', degreesOf('longitude'))
    .option('--token-directory <path>', 'write each token into a file with the station’s name; existing files stay')
    .action(add)
  sensor.command('list').description('list all stations').option('--json', 'as JSON').action(list)
  sensor
    .command('revoke')
    .description('end the tokens of a station')
    .argument('<name>', 'the station’s name')
    .action(revoke)
  return sensor
}
