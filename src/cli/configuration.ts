import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { Api } from '../configuration/api.ts'
import type { ChangeOutcome } from '../configuration/apply.ts'
import { exportAccount } from '../configuration/export.ts'
import { readFiles } from '../configuration/files.ts'
import { type Model, modelOf } from '../configuration/model.ts'
import type { Change } from '../configuration/plan.ts'
import { type Planned, plan } from '../configuration/run.ts'
import { schemaPath } from '../configuration/serve-schema.ts'
import { changeLines, isOfMarkAlone, outcomeLine, planJson, summaryOf, yamlOf } from '../configuration/show.ts'
import { type Untold, untoldAfter, untoldNow, untoldText } from '../configuration/silence.ts'
import { usualMark } from '../domain/configuration/managed-key.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { failedCode, orFaults, tell } from './faults.ts'
import { languageOfMachine } from './machine-language.ts'
import { print } from './print.ts'
import { apiOf, type RemoteFlags, remoteOptions } from './remote.ts'

interface Flags extends RemoteFlags {
  readonly managedBy?: string
  readonly prune?: boolean
  readonly json?: boolean
  readonly yes?: boolean
}

/** Exit codes of a plan. */
const changesCode = 2

/** Only these commands need every declaration. */
async function declaredModel(): Promise<Model> {
  const { declaredResources } = await import('../program/interface-description.ts')
  return modelOf(declaredResources())
}

async function planned(paths: readonly string[], flags: Flags, api: Api): Promise<Planned> {
  const files = await readFiles(paths, process.stdin)
  return plan({
    ...{ files, mark: flags.managedBy, isPruning: flags.prune === true, language: languageOfMachine() },
    model: await declaredModel(),
    api,
    sources: { environment: process.env, prefix: null, folders: null },
  })
}

function showPlan({ plan: made, installation }: Planned): void {
  for (const note of made.notes) tell(note)
  for (const change of made.changes) print(changeLines(change, installation).join('\n'))
  print(`${made.changes.length === 0 ? '' : '\n'}${summaryOf(made)}`)
}

function untoldJson(untold: readonly Untold[]): object {
  return { nobody_told: untold.map(({ key, group, isWaiting }) => ({ key, group, waits_for_confirmation: isWaiting })) }
}

/** Silence is the one fault that nobody hears of later. */
function tellUntold(untold: readonly Untold[], flags: Flags): void {
  const text = untoldText(untold)
  if (text !== null && flags.json !== true) tell(text)
}

async function planCommandAction(paths: readonly string[], flags: Flags): Promise<void> {
  await orFaults(async () => {
    const api = apiOf(flags)
    const found = await planned(paths, flags, api)
    const untold = await untoldAfter(api, found.plan)
    if (flags.json === true)
      print(JSON.stringify({ ...planJson(found.plan, found.installation), ...untoldJson(untold) }, null, 2))
    else showPlan(found)
    tellUntold(untold, flags)
    if (found.plan.changes.length > 0) process.exitCode = changesCode
  })
}

function objectsOf(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}

/** Deleting asks a person at a terminal; elsewhere it needs `--yes`. */
async function mayDelete({ plan: made }: Planned, flags: Flags): Promise<boolean> {
  const gone = made.changes.filter(({ action }) => action === 'delete')
  if (gone.length === 0 || flags.yes === true) return true
  if (process.stdin.isTTY !== true)
    throw new CannotStart(
      `--prune would delete ${objectsOf(gone.length)}: say --yes, or see \`latarnik plan --prune\`.`,
    )
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await asked.question(`Delete ${objectsOf(gone.length)} with all history? Only "yes" deletes: `)
  asked.close()
  return answer.trim() === 'yes'
}

async function applyCommandAction(paths: readonly string[], flags: Flags): Promise<void> {
  await orFaults(async () => {
    const api = apiOf(flags)
    const found = await planned(paths, flags, api)
    if (flags.json !== true) for (const note of found.plan.notes) tell(note)
    if (!(await mayDelete(found, flags))) return
    const stopping = stoppedBySignals()
    const outcomes = new Map<Change, ChangeOutcome>()
    const ended = (change: Change, outcome: ChangeOutcome) => {
      outcomes.set(change, outcome)
      if (flags.json !== true) print(outcomeLine(change, outcome))
    }
    const broken = await found.apply(ended, stopping.signal).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    const left = found.plan.changes.length - outcomes.size
    const made = [...outcomes].flatMap(([change, outcome]) => (isFailed(outcome) ? [] : [change]))
    const [changed, marked] = [made.length, made.filter(isOfMarkAlone).length]
    const failed = found.plan.changes.length - changed
    const untold = broken === null ? await untoldNow(api, found.plan) : []
    if (flags.json === true) print(JSON.stringify({ ...resultJson(outcomes, found), ...untoldJson(untold) }, null, 2))
    else
      print(
        `${outcomes.size === 0 ? '' : '\n'}${changed} changed${marked === 0 ? '' : ` (${marked} in the mark alone)`}, ${failed} not; ${found.plan.unchanged.length} were as they should be.`,
      )
    tellUntold(untold, flags)
    if (failed > 0) process.exitCode = failedCode
    if (broken === null && stopping.signal.aborted && left > 0) tell(stoppedText(outcomes, left))
    if (broken === null) return
    tell('It broke off: what is changed stays so, and the same command makes the rest.')
    throw broken.error
  })
}

/** Aborts at the first SIGINT or SIGTERM; the second one ends the command as usual. */
function stoppedBySignals(): AbortController {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      tell(`${name}: the changes under way end, and no other begins. A second ${name} ends the command at once.`)
      stopping.abort()
    })
  }
  return stopping
}

/** How far an apply came that was stopped. */
function stoppedText(outcomes: ReadonlyMap<Change, ChangeOutcome>, left: number): string {
  const done = [...outcomes].filter(([, outcome]) => !isFailed(outcome)).map(([change]) => change.action)
  const count = (...actions: readonly string[]) => done.filter((action) => actions.includes(action)).length
  const [created, gone] = [count('create'), count('delete', 'release')]
  return `It was stopped: ${created} created, ${done.length - created - gone} changed, ${gone} deleted or released; ${left} not begun. What is done stays so, and the same command makes the rest.`
}

function isFailed({ result }: ChangeOutcome): boolean {
  return result !== 'done' && result !== 'released'
}

function resultJson(outcomes: ReadonlyMap<Change, ChangeOutcome>, { plan: made, installation }: Planned): object {
  const { changes, ...rest } = planJson(made, installation) as { changes: readonly object[] }
  const ended = made.changes.map((change, index) => {
    const outcome = outcomes.get(change) ?? { result: 'not tried' }
    return { ...changes[index], ...outcome }
  })
  return { ...rest, changes: ended }
}

export interface ExportFlags extends RemoteFlags {
  readonly managedBy?: string
  readonly output?: string
}

/** The configuration of the login's account as YAML. */
export async function exportConfiguration(flags: ExportFlags): Promise<void> {
  await orFaults(async () => {
    const api = apiOf(flags)
    const model = await declaredModel()
    const { document, variables, objects, otherMarks } = await exportAccount({
      api,
      model,
      mark: flags.managedBy ?? usualMark,
      nowAt: Date.now(),
    })
    const secrets =
      variables.length === 0
        ? []
        : [
            '',
            'Secrets are not exported. Set these variables, or write file:PATH in their place:',
            ...variables.map((name) => `  ${name}`),
          ]
    const comment = [
      ` yaml-language-server: $schema=${api.origin}${schemaPath}`,
      ...secrets.map((line) => ` ${line}`.trimEnd()),
    ].join('\n')
    const yaml = yamlOf(document, comment)
    if (flags.output === undefined) process.stdout.write(yaml)
    else {
      await writeFile(flags.output, yaml, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        throw new CannotStart(
          `${flags.output} cannot be written: ${error.code === 'EEXIST' ? 'it is there already' : error.message}.`,
        )
      })
      tell(`${flags.output}: ${objectsOf(objects)}.`)
    }
    for (const [mark, count] of otherMarks)
      tell(`Not in it: ${objectsOf(count)} with the mark ${mark}; --managed-by ${mark} exports them.`)
    if (variables.length > 0)
      tell(
        `Not in it: ${variables.length === 1 ? '1 secret' : `${variables.length} secrets`}; the file lists the variables to set.`,
      )
  })
}

function withFiles(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<file...>', 'YAML files, or folders of them; - for standard input')
    .option('--managed-by <mark>', 'the mark of the configuration, instead of that of the files')
    .option('--prune', 'delete objects with the mark that no file has')
    .option('--json', 'as JSON')
  for (const option of remoteOptions()) command.addOption(option)
  return command
}

export function planCommand(): Command {
  return withFiles('plan', 'show what files of configuration would change in an installation; nothing is changed')
    .addHelpText('after', '\nExit code: 0 nothing would change, 2 something would, 1 it cannot be told.')
    .action(planCommandAction)
}

export function applyCommand(): Command {
  return withFiles('apply', 'make an installation as files of configuration want it')
    .option('--yes', 'delete without asking')
    .addHelpText('after', '\nExit code: 0 everything is as the files want it, 1 something is not.')
    .action(applyCommandAction)
}
