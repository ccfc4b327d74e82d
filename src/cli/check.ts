import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError, Option } from 'commander'
import { formatMoment } from '../domain/calendars/time.ts'
import { isObject } from '../domain/input/json.ts'
import type { Verdict } from '../domain/judging/analysis.ts'
import { CannotStart } from '../program/cannot-start.ts'
import type { CheckResult } from '../sensor/protocol.ts'
import type { Language } from '../wording/language.ts'
import { checkHere, shownHere } from './check/here.ts'
import { degradedLine, errorShown, linesOf } from './check/shown.ts'
import { type CheckTarget, targetOf } from './check/target.ts'
import { checkThere } from './check/there.ts'
import { checkWords } from './check/words.ts'
import { configOf } from './configured.ts'
import { languageOfMachine } from './machine-language.ts'
import { print } from './print.ts'
import { type RemoteFlags, remoteOf } from './remote.ts'

interface Flags extends RemoteFlags {
  readonly type?: string
  readonly set: Readonly<Record<string, string>>
  readonly settings?: string
  readonly scenario?: string
  readonly language: Language
  readonly json?: boolean
}

/** Exit codes. */
const codes: Readonly<Record<'ok' | 'error' | 'unknown' | Verdict, number>> = {
  ...{ ok: 0, error: 1, unknown: 2 },
  ...{ failure: 1, none: 2 },
}

/** `timeout=5000` */
function settingOf(given: string, earlier: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(given) ?? []
  if (name === undefined) throw new InvalidArgumentError('Write it like timeout=5000')
  return { ...earlier, [name]: value }
}

/** Settings from a file or standard input, where other users of the machine do not see secrets. */
async function settingsOf({ settings: path }: Flags): Promise<object> {
  if (path === undefined) return {}
  try {
    const read: unknown = JSON.parse(path === '-' ? await text(process.stdin) : await readFile(path, 'utf8'))
    if (isObject(read)) return read
  } catch (error) {
    throw new CannotStart(`The settings cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
  throw new CannotStart('The settings must be a JSON object, as extended_settings of a service.')
}

/** A recording as Chrome's Recorder exports it. */
async function recordingOf({ scenario: path }: Flags): Promise<object> {
  if (path === undefined) return {}
  try {
    return { scenario: await readFile(path, 'utf8') }
  } catch (error) {
    throw new CannotStart(`The recording cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

async function here(target: CheckTarget, { json, language }: Flags, command: Command): Promise<void> {
  const result = await checkHere(target, configOf(command))
  process.exitCode = codes[result.result]
  if (json !== true) return print(linesOf(shownHere(result), language).join('\n'))
  const { result: outcome, responseTime, dataSize, phases, errorTypeId, errorMessage, steps, evidence } = result
  const { artifacts: _files, ...facts } = evidence ?? { artifacts: [] }
  print(
    JSON.stringify({
      ...{ type_id: target.type.id, address: target.address, result: outcome, response_time: responseTime },
      ...{
        data_size: dataSize,
        phases: rounded(phases),
        error_message: errorMessage,
        error_type: errorShown(errorTypeId, language),
      },
      ...{ degraded_reasons: result.reasons, expires_at: expiresAt(result) },
      ...{ steps, evidence: evidence === null ? null : facts },
    }),
  )
}

function expiresAt({ expiry }: CheckResult): string | null {
  return expiry === undefined ? null : formatMoment(expiry.endsAt)
}

/** Whole microseconds, as the API has them. */
function rounded(phases: CheckResult['phases']): Readonly<Record<string, number | null>> | null {
  if (phases === null) return null
  const each = Object.entries(phases).map(([name, ms]) => [name, ms === null ? null : Math.round(ms * 1000) / 1000])
  return Object.fromEntries(each)
}

async function there(target: CheckTarget, flags: Flags): Promise<void> {
  const { json, language } = flags
  const remote = remoteOf(flags)
  if (json !== true) process.stderr.write(`${checkWords[language].asking(remote.origin)}\n`)
  const {
    verdict,
    reasons,
    line: last,
  } = await checkThere(target, remote, language, (check, line) => {
    print(json === true ? JSON.stringify(line) : linesOf(check, language).join('\n'))
  })
  const isDegraded = verdict === 'ok' && reasons.length > 0
  const said = isDegraded ? degradedLine(reasons, language) : checkWords[language].verdicts[verdict]
  print(json === true ? JSON.stringify(last) : said)
  process.exitCode = codes[verdict]
}

async function check(address: string, flags: Flags, command: Command): Promise<void> {
  const recording = await recordingOf(flags)
  const typeId = flags.type ?? (flags.scenario === undefined ? undefined : 'webappcheck')
  const given = { address, typeId, settings: { ...(await settingsOf(flags)), ...recording }, texts: flags.set }
  const target = targetOf(given, flags.language)
  if (flags.server === undefined) await here(target, flags, command)
  else await there(target, flags)
}

export function checkCommand(): Command {
  return new Command('check')
    .description('check an address at once, on this machine or with the stations of an installation; nothing is saved')
    .argument('<address>', 'https://shop.example.com, mail.example.com:25, 192.0.2.7, redis://cache.example.com')
    .option('--type <type>', 'the type of service, if the address alone does not say it')
    .option('--set <name=value>', 'a setting of the type; may be repeated', settingOf, {})
    .option('--settings <file>', 'settings as a JSON object in a file, - for standard input: better for secrets')
    .option('--scenario <file>', 'a recording exported from the Recorder of Chrome (JSON), to be played')
    .option('--server <url>', 'ask all stations of this installation (with LATARNIK_TOKEN) instead of this machine')
    .addOption(new Option('--token <token>', 'a token of the API; safer in LATARNIK_TOKEN').env('LATARNIK_TOKEN'))
    .addOption(
      new Option('--language <language>', 'of errors and advice')
        .choices(['en', 'pl'])
        .default(languageOfMachine(), 'that of the machine'),
    )
    .option('--json', 'as JSON; with --server a line for each station')
    .addHelpText('after', '\nExit code: 0 it works, 1 it fails, 2 nobody could tell.')
    .action(check)
}
