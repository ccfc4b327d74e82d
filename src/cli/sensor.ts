import { Command, InvalidArgumentError } from 'commander'
import { configPathOf, withDatabase } from './configured.ts'
import { print, table } from './print.ts'
import { runSensor, type SensorFlags } from './run-sensor.ts'
import { addSensor, listSensors, revokeSensor } from './sensors.ts'

function sensorNameOf(given: string): string {
  if (given.trim() === '' || given.length > 200) throw new InvalidArgumentError('It must be 1 to 200 characters')
  return given
}

type AddFlags = { readonly city: string; readonly country: string }

async function add(name: string, flags: AddFlags, command: Command): Promise<void> {
  const { id, isNew, token } = await withDatabase(command, (database) =>
    addSensor(database, name, { ...flags, now: Date.now() }),
  )
  if (isNew) print(`Sensor ${id} ${name} was made.`)
  print(`Its token, shown only this once: ${token}`)
  if (!isNew) print('The token in use holds until the station connects with this one.')
  print('On the other machine: SENSOR_TOKEN=… npx latarnik sensor --server ADDRESS_OF_THIS_API')
}

async function revoke(name: string, _flags: object, command: Command): Promise<void> {
  await withDatabase(command, (database) => revokeSensor(database, name))
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
    .description('run this machine as a station of a core far away; or look after the stations of this core')
    .option('--server <url>', 'address of the core’s API; SENSOR_SERVER')
    .option('--token <token>', 'from `latarnik sensor add`; SENSOR_TOKEN, which other users of the machine cannot see')
    .action((flags: SensorFlags, command: Command) => runSensor(configPathOf(command), flags))
  sensor
    .command('add')
    .description('make a sensor, or find it, and issue a token for its station')
    .argument('<name>', 'how people call it', sensorNameOf)
    .option('--city <city>', 'where it stands', '')
    .option('--country <country>', 'where it stands', '')
    .action(add)
  sensor.command('list').description('all sensors').option('--json', 'as JSON').action(list)
  sensor.command('revoke').description('end the tokens of a sensor').argument('<name>', 'which').action(revoke)
  return sensor
}
