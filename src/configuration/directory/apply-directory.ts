import { realpath } from 'node:fs/promises'
import { type Api, ApiRefuses } from '../api.ts'
import type { ChangeOutcome } from '../apply.ts'
import { FaultyConfiguration, type FileFault } from '../fault.ts'
import { reasonOf } from '../files.ts'
import type { Sources } from '../interpolate.ts'
import type { Model } from '../model.ts'
import { type Change, isEnding, type Plan } from '../plan.ts'
import { plan } from '../run.ts'
import { nameOf, sentenceOf } from '../show.ts'
import { untoldNow, untoldText } from '../silence.ts'
import { type DirectoryReport, type DirectoryResult, type DirectoryTask, secretPrefix } from './directory-task.ts'
import { type DirectoryFiles, readDirectory, shownPath, UnreadableDirectory } from './read-directory.ts'

/** One run of a watched directory: its files become the state of an account. */

interface Ways {
  readonly model: Model
  readonly api: Api
  readonly signal?: AbortSignal
}

const nothing = {
  mark: null,
  files: 0,
  changed: 0,
  unchanged: 0,
  failed: 0,
  left: 0,
  faults: [],
  changes: [],
  untold: null,
} as const

/** More would make no message that a person reads. */
const mostFaults = 100

function without(result: DirectoryResult, faults: readonly FileFault[], files = 0): DirectoryReport {
  return { ...nothing, result, files, faults: faults.slice(0, mostFaults) }
}

/** Never rejects. */
export async function applyDirectory(task: DirectoryTask, ways: Ways): Promise<DirectoryReport> {
  let read: DirectoryFiles | undefined
  try {
    read = await readDirectory(task.directory)
    return shown(await applyFiles(read, task, ways), read, task.directory)
  } catch (error) {
    const files = read?.files.length ?? 0
    if (error instanceof FaultyConfiguration) {
      const report = without('refused', error.faults, files)
      return read === undefined ? report : shown(report, read, task.directory)
    }
    const result = error instanceof UnreadableDirectory ? 'unreadable' : 'failed'
    const message = error instanceof ApiRefuses ? error.message : reasonOf(error)
    return without(result, [{ place: null, pointer: '', message }], files)
  }
}

/** Faults name files as the operator does, not by what is behind a link. */
function shown(report: DirectoryReport, read: DirectoryFiles, directory: string): DirectoryReport {
  const faults = report.faults.map(({ place, ...fault }) => ({
    ...fault,
    place: place === null ? null : { ...place, file: shownPath(place.file, read, directory) },
  }))
  return { ...report, faults }
}

async function sourcesOf({ root }: DirectoryFiles, task: DirectoryTask): Promise<Sources> {
  const secrets = task.secretsDirectory === null ? [] : await existing(task.secretsDirectory)
  return { environment: task.environment, prefix: secretPrefix, folders: [root, ...secrets] }
}

async function existing(folder: string): Promise<readonly string[]> {
  try {
    return [await realpath(folder)]
  } catch {
    // A file that wants a secret of it is told so.
    return []
  }
}

function refuseToDeleteAll({ left, mark }: Plan, defined: number): void {
  if (defined > 0 || left.length === 0) return
  const message = `The files define nothing, which would delete all ${left.length} objects with the mark ${mark}.`
  throw new FaultyConfiguration([{ place: null, pointer: '', message }])
}

async function applyFiles(read: DirectoryFiles, task: DirectoryTask, ways: Ways): Promise<DirectoryReport> {
  const { files } = read
  const { isPruning } = task
  const { model, api, signal } = ways
  const planned = await plan({ model, api, files, isPruning, language: 'en', sources: await sourcesOf(read, task) })
  if (isPruning) refuseToDeleteAll(planned.plan, planned.definitions.all.length)
  const changes: string[] = []
  const faults: FileFault[] = []
  await planned.apply((change, outcome) => {
    if (isDone(outcome)) changes.push(`${change.action} ${nameOf(change)}`)
    else faults.push(...faultsOf(change, outcome))
  }, signal)
  const { changes: wanted, unchanged, left, mark } = planned.plan
  const failed = wanted.length - changes.length
  return {
    ...{ result: failed === 0 ? 'applied' : 'incomplete', mark, files: files.length, changed: changes.length, failed },
    ...{ unchanged: unchanged.length, changes, faults: faults.slice(0, mostFaults) },
    untold: untoldText(await untoldNow(api, planned.plan)),
    left: left.length - wanted.filter((change) => isEnding(change) && change.action !== 'stay').length,
  }
}

function isDone({ result }: ChangeOutcome): boolean {
  return result === 'done' || result === 'released'
}

function faultsOf(change: Change, outcome: ChangeOutcome): readonly FileFault[] {
  if (outcome.result === 'refused') return outcome.faults
  const place = isEnding(change) ? null : change.definition.positionOf([])
  return [{ place, pointer: nameOf(change), message: sentenceOf(change, outcome) }]
}
