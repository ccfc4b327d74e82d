import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError, Option } from 'commander'
import { loginLinkLifeMinutes } from '../auth/login-links.ts'
import { loginLinkAddress } from '../console/login-link.ts'
import { isPassword, isUsername } from '../domain/access/credentials.ts'
import { readTimeZone } from '../domain/calendars/time-zones.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { urlOf } from '../program/listen.ts'
import { refuse } from '../program/run.ts'
import { changePassword, createPrimaryAccount, listAccounts, loginToken, setBlocked } from './accounts.ts'
import { besideRunningApi, configOf, withDatabase } from './configured.ts'
import { addIdentity, listIdentities, removeIdentities } from './identities.ts'
import { listPasskeys, removePasskeys } from './passkeys.ts'
import { print, table } from './print.ts'

function usernameOf(given: string): string {
  if (!isUsername(given)) throw new InvalidArgumentError('It must be 3 to 64 characters of a-z A-Z 0-9 . _ @ -')
  return given
}

function timeZoneOf(given: string): string {
  const id = readTimeZone(given)
  if (id === undefined) throw new InvalidArgumentError('It must be a time zone like Europe/Warsaw.')
  return id
}

/** Everybody on the machine could see a password on the command line. */
async function passwordFrom(isOnStdin: boolean | undefined): Promise<string | undefined> {
  if (isOnStdin !== true) return undefined
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  return isPassword(password) ? password : refuse(['latarnik: a password has 8 to 256 characters'])
}

interface CreateFlags {
  readonly name?: string
  readonly email: string
  readonly package: string
  readonly language?: 'pl' | 'en'
  readonly timeZone?: string
  readonly passwordStdin?: boolean
}

async function create(username: string, flags: CreateFlags, command: Command): Promise<void> {
  const password = await passwordFrom(flags.passwordStdin)
  const { accountDefaults } = configOf(command)
  const made = await withDatabase(command, (database) =>
    createPrimaryAccount(database, {
      username,
      name: flags.name,
      emailAddress: flags.email,
      packageName: flags.package,
      languageId: flags.language ?? accountDefaults.languageId,
      timeZoneId: flags.timeZone ?? accountDefaults.timeZoneId,
      password,
      now: Date.now(),
    }),
  )
  print(`Account ${made.id} ${username} was made.`)
  if (password === undefined) print(`Its password, shown only once: ${made.password}`)
}

interface PasswordFlags {
  readonly passwordStdin?: boolean
  readonly without2fa?: boolean
}

async function change(username: string, flags: PasswordFlags, command: Command): Promise<void> {
  const given = await passwordFrom(flags.passwordStdin)
  const { password } = await withDatabase(command, (database) =>
    changePassword(database, username, {
      ...{ given, withoutSecondFactor: flags.without2fa === true, now: Date.now() },
    }),
  )
  print(`The password of ${username} was changed and its sessions ended.`)
  if (given === undefined) print(`The new password, shown only once: ${password}`)
}

async function list(flags: { readonly json?: boolean }, command: Command): Promise<void> {
  const accounts = await withDatabase(command, listAccounts)
  if (flags.json === true) return print(JSON.stringify(accounts, null, 2))
  const rows = accounts.map((row) => [String(row.id), row.username, row.kind, row.package, row.state])
  print(table([['ID', 'USERNAME', 'KIND', 'PACKAGE', 'STATE'], ...rows]))
}

async function link(username: string, _flags: object, command: Command): Promise<void> {
  const token = await withDatabase(command, (database) => loginToken(database, username, Date.now()))
  const config = await besideRunningApi(configOf(command))
  print(loginLinkAddress(config.publicUrl ?? urlOf(config), token))
  print(`The link works once, within ${loginLinkLifeMinutes} minutes.`)
}

function blocking(isBlocked: boolean) {
  return async (username: string, _flags: object, command: Command): Promise<void> => {
    const changed = await withDatabase(command, (database) => setBlocked(database, username, isBlocked, Date.now()))
    const state = isBlocked ? 'blocked' : 'unblocked'
    print(changed ? `${username} is ${state}.` : `${username} was ${state} already.`)
  }
}

function addBlocking(account: Command): void {
  account
    .command('block')
    .description('end the sessions of an account and its sub-accounts, refuse their logins, and stop their monitoring')
    .argument('<username>', 'the account’s username', usernameOf)
    .action(blocking(true))
  account
    .command('unblock')
    .description('let a blocked account in again, and monitor what was monitored before')
    .argument('<username>', 'the account’s username', usernameOf)
    .action(blocking(false))
}

interface ListingFlags {
  readonly add?: string
  readonly remove?: boolean
  readonly json?: boolean
}

async function addLink(username: string, subject: string, command: Command): Promise<void> {
  const { oidc } = configOf(command)
  if (oidc === null) throw new CannotStart('There is no identity provider: OIDC_ISSUER is not set.')
  const added = { issuer: oidc.issuer, subject, now: Date.now() }
  await withDatabase(command, (database) => addIdentity(database, username, added))
  print(`${subject} of ${oidc.issuer} logs in to ${username} now.`)
}

async function identities(username: string, flags: ListingFlags, command: Command): Promise<void> {
  if (flags.add !== undefined) return addLink(username, flags.add, command)
  if (flags.remove === true) {
    const removed = await withDatabase(command, (database) => removeIdentities(database, username, Date.now()))
    return print(`${username} is linked with no identity now; ${removed} removed, and its sessions ended.`)
  }
  const found = await withDatabase(command, (database) => listIdentities(database, username))
  if (flags.json === true) return print(JSON.stringify(found, null, 2))
  if (found.length === 0) return print(`${username} is linked with no identity.`)
  const rows = found.map(({ issuer, subject, last_login_at: at }) => [issuer, subject, at])
  print(table([['ISSUER', 'SUBJECT', 'LAST LOGIN'], ...rows]))
}

function addIdentities(account: Command): void {
  account
    .command('identities')
    .description('list the identities of the identity provider that log in to an account')
    .argument('<username>', 'the account’s username', usernameOf)
    .option('--add <subject>', 'link this identity instead, as the page of a refused login names it')
    .option('--remove', 'remove them all instead, and end the account’s sessions')
    .option('--json', 'as JSON')
    .action(identities)
}

async function passkeys(username: string, flags: ListingFlags, command: Command): Promise<void> {
  if (flags.remove === true) {
    const removed = await withDatabase(command, (database) => removePasskeys(database, username, Date.now()))
    return print(`${username} has no passkeys now; ${removed} removed, and its sessions ended.`)
  }
  const found = await withDatabase(command, (database) => listPasskeys(database, username))
  if (flags.json === true) return print(JSON.stringify(found, null, 2))
  if (found.length === 0) return print(`${username} has no passkeys.`)
  const rows = found.map(({ name, rp_id: site, last_used_at: at }) => [name, site, at ?? 'never'])
  print(table([['NAME', 'SITE', 'LAST USED'], ...rows]))
}

/** The ways to log in beside the password. */
function addCredentials(account: Command): void {
  addIdentities(account)
  account
    .command('passkeys')
    .description('list the passkeys that log in to an account')
    .argument('<username>', 'the account’s username', usernameOf)
    .option('--remove', 'remove them all instead, and end the account’s sessions')
    .option('--json', 'as JSON')
    .action(passkeys)
}

export function accountCommand(): Command {
  const passwordOnStdin = new Option(
    '--password-stdin',
    'read the password from standard input instead of generating one',
  )
  const account = new Command('account').description('manage accounts and their passwords')
  account
    .command('create')
    .description('make an account with its default group')
    .argument('<username>', 'the name for logging in', usernameOf)
    .option('--name <name>', 'displayed name; default: the username')
    .addOption(new Option('--email <address>', 'the owner’s e-mail address').default('', 'none'))
    .option('--package <name>', 'the package with its limits', 'unlimited')
    .addOption(
      new Option('--language <id>', 'language of its mails')
        .choices(['pl', 'en'])
        .default(undefined, 'ACCOUNT_LANGUAGE'),
    )
    .addOption(
      new Option('--time-zone <zone>', 'its time zone, like Europe/Warsaw')
        .argParser(timeZoneOf)
        .default(undefined, 'ACCOUNT_TIME_ZONE'),
    )
    .addOption(passwordOnStdin)
    .action(create)
  account
    .command('password')
    .description('set a new password for an account or an administrator and end its sessions')
    .argument('<username>', 'the account’s username', usernameOf)
    .addOption(passwordOnStdin)
    .option('--without-2fa', 'also switch off a lost second factor')
    .action(change)
  account
    .command('login-link')
    .description('print a link that logs an account in to the console once, without its password')
    .argument('<username>', 'the account’s username', usernameOf)
    .action(link)
  addBlocking(account)
  addCredentials(account)
  account.command('list').description('list everybody who can log in').option('--json', 'as JSON').action(list)
  return account
}
