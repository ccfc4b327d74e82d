#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError, Option } from 'commander'
import { changePassword, createPrimaryAccount, listAccounts } from './cli-accounts.ts'
import { addSensor, listSensors, revokeSensor } from './cli-sensors.ts'
import { version } from './config.ts'
import type { Database } from './database/connect.ts'
import { openDatabase } from './database/open.ts'
import { rebuildAllRollUps } from './database/roll-ups.ts'
import { examine } from './doctor.ts'
import { isPassword, isUsername } from './domain/credentials.ts'
import { createLog } from './log.ts'
import { chooseConfig, isForPerson, refuse, run } from './run.ts'
import { runSensor, type SensorFlags } from './run-sensor.ts'

const dayLength = 86_400_000

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Uses the server of a program that runs on the same data directory, else starts it for the moment. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDirectory } = chooseConfig(configPath())
  const opened = await openDatabase({ databaseUrl, dataDirectory, log: createLog('warn'), joinRunning: true })
  try {
    return await work(opened.database)
  } finally {
    await opened.close()
  }
}

function usernameOf(given: string): string {
  if (!isUsername(given)) throw new InvalidArgumentError('It must be 3 to 64 characters of a-z A-Z 0-9 . _ @ -')
  return given
}

function sensorNameOf(given: string): string {
  if (given.trim() === '' || given.length > 200) throw new InvalidArgumentError('It must be 1 to 200 characters')
  return given
}

/** A password on the command line would be seen by everybody on the machine. */
async function passwordFrom(isOnStdin: boolean | undefined): Promise<string | undefined> {
  if (isOnStdin !== true) return undefined
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  return isPassword(password) ? password : refuse(['latarnik: a password has 8 to 256 characters'])
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

interface CreateFlags {
  readonly name?: string
  readonly email: string
  readonly package: string
  readonly language: 'pl' | 'en'
  readonly passwordStdin?: boolean
}

async function create(username: string, flags: CreateFlags): Promise<void> {
  const password = await passwordFrom(flags.passwordStdin)
  const made = await withDatabase((database) =>
    createPrimaryAccount(database, {
      username,
      name: flags.name,
      emailAddress: flags.email,
      packageName: flags.package,
      languageId: flags.language,
      password,
      now: Date.now(),
    }),
  )
  print(`Account ${made.id} ${username} was made.`)
  if (password === undefined) print(`Its password, shown only this once: ${made.password}`)
}

async function change(
  username: string,
  flags: { readonly passwordStdin?: boolean; readonly without2fa?: boolean },
): Promise<void> {
  const given = await passwordFrom(flags.passwordStdin)
  const { password } = await withDatabase((database) =>
    changePassword(database, username, { given, withoutSecondFactor: flags.without2fa === true }),
  )
  print(`The password of ${username} was changed and its sessions ended.`)
  if (given === undefined) print(`The new password, shown only this once: ${password}`)
}

async function list(flags: { readonly json?: boolean }): Promise<void> {
  const accounts = await withDatabase(listAccounts)
  if (flags.json === true) return print(JSON.stringify(accounts, null, 2))
  const rows = accounts.map((row) => [String(row.id), row.username, row.kind, row.package, row.state])
  print(table([['ID', 'USERNAME', 'KIND', 'PACKAGE', 'STATE'], ...rows]))
}

async function addStation(name: string, flags: { readonly city: string; readonly country: string }): Promise<void> {
  const { id, isNew, token } = await withDatabase((database) =>
    addSensor(database, name, { ...flags, now: Date.now() }),
  )
  if (isNew) print(`Sensor ${id} ${name} was made.`)
  print(`Its token, shown only this once: ${token}`)
  if (!isNew) print('The token in use holds until the station connects with this one.')
  print('On the other machine: SENSOR_TOKEN=… npx latarnik sensor --server ADDRESS_OF_THIS_API')
}

async function revokeStation(name: string): Promise<void> {
  await withDatabase((database) => revokeSensor(database, name))
  print(`The tokens of ${name} were revoked.`)
}

async function listStations(flags: { readonly json?: boolean }): Promise<void> {
  const sensors = await withDatabase((database) => listSensors(database, Date.now()))
  if (flags.json === true) return print(JSON.stringify(sensors, null, 2))
  const rows = sensors.map((row) => [
    ...[String(row.id), row.name, row.place, row.categories.join(' '), row.version, row.state],
  ])
  print(table([['ID', 'NAME', 'PLACE', 'CATEGORIES', 'VERSION', 'STATE'], ...rows]))
}

async function doctor(): Promise<void> {
  const findings = await examine(chooseConfig(configPath()))
  print(`Latarnik ${version}, Node ${process.version}, ${process.platform} ${process.arch}\n`)
  print(table(findings.map(({ subject, isRight, text }) => [isRight ? 'ok' : '!!', subject, text])))
}

async function rebuildSums(): Promise<void> {
  const { retentionDays } = chooseConfig(configPath())
  const now = Date.now()
  const today = Math.floor(now / dayLength) * dayLength
  const count = await withDatabase((database) =>
    rebuildAllRollUps(database, { keptFromAt: today - retentionDays * dayLength, now }),
  )
  print(`The sums of ${count} ${count === 1 ? 'service' : 'services'} were made anew.`)
}

const program = new Command('latarnik')
  .description('Website and server monitoring judged by a quorum of stations.')
  .version(version)
  .option('--config <path>', 'file of NAME=value lines; the environment wins over it')
  .addHelpText('after', '\nVariables and their defaults: docs/operations.md')
  .configureOutput({ outputError: (message, write) => write(message.replace(/^error:/, 'latarnik:')) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

function configPath(): string | undefined {
  return program.opts<{ config?: string }>().config
}

program
  .command('start')
  .description('start the program, as npm start does')
  .action(() => run(configPath()))

const passwordOnStdin = new Option(
  '--password-stdin',
  'read the password from standard input instead of generating one',
)

const account = program.command('account').description('people who can log in')
account
  .command('create')
  .description('make an account with its default group')
  .argument('<username>', 'the name to log in with', usernameOf)
  .option('--name <name>', 'shown name; the username when left out')
  .option('--email <address>', 'the owner’s e-mail address', '')
  .option('--package <name>', 'its limits', 'unlimited')
  .addOption(new Option('--language <id>', 'language of its mails').choices(['pl', 'en']).default('pl'))
  .addOption(passwordOnStdin)
  .action(create)
account
  .command('password')
  .description('set a new password for an account or an administrator and end its sessions')
  .argument('<username>', 'who', usernameOf)
  .addOption(passwordOnStdin)
  .option('--without-2fa', 'switch the second factor off too, for whoever lost it')
  .action(change)
account.command('list').description('everybody who can log in').option('--json', 'as JSON').action(list)

const sensor = program
  .command('sensor')
  .description('run this machine as a station of a core far away; or look after the stations of this core')
  .option('--server <url>', 'address of the core’s API; SENSOR_SERVER')
  .option('--token <token>', 'from `latarnik sensor add`; SENSOR_TOKEN, which other users of the machine cannot see')
  .action((flags: SensorFlags) => runSensor(configPath(), flags))
sensor
  .command('add')
  .description('make a sensor, or find it, and issue a token for its station')
  .argument('<name>', 'how people call it', sensorNameOf)
  .option('--city <city>', 'where it stands', '')
  .option('--country <country>', 'where it stands', '')
  .action(addStation)
sensor.command('list').description('all sensors').option('--json', 'as JSON').action(listStations)
sensor.command('revoke').description('end the tokens of a sensor').argument('<name>', 'which').action(revokeStation)

program
  .command('history')
  .description('what was measured')
  .command('sum')
  .description('make the sums that charts are drawn from anew, from the analyses that are kept')
  .action(rebuildSums)

program
  .command('doctor')
  .description('try what this machine can check and whether the program can start')
  .action(doctor)

try {
  await program.parseAsync()
} catch (error) {
  if (isForPerson(error)) refuse([`latarnik: ${error.message}`])
  throw error
}
