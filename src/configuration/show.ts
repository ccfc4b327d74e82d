import { Document } from 'yaml'
import { visible } from '../domain/text/one-line.ts'
import type { ChangeOutcome } from './apply.ts'
import type { Difference } from './differences.ts'
import type { Below, Ending } from './endings.ts'
import { faultText } from './fault.ts'
import type { Installation, Installed } from './installation.ts'
import { type Kind, mapReferences } from './model.ts'
import { type Change, isEnding, type Plan } from './plan.ts'
import { isPending } from './references.ts'
import { membersOf } from './values.ts'

/** Plans as people read them. No secret is ever shown, nor what a variable or a file put in. */

const longestText = 400

/** A value on one line. */
function lineOf(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** Objects by their key where it is known, in place of their number. */
function keyed(
  { kind, key }: Subject,
  { path, member }: Difference,
  value: unknown,
  { managed, sensors }: Installation,
): unknown {
  const within = membersOf([{ path, member, value }])
  const mapped = mapReferences(kind, within, (name, { to, by, isOpen }) => {
    if (isPending(name)) return name.pending.key.slice(siblingStart(key, name.pending.kind, kind))
    if (by !== undefined) return name
    if (isOpen === true) return sensors.nameOf(Number(name)) ?? name
    const found = managed.find((object) => object.kind.name === to && object.id === name)
    return found?.key?.slice(siblingStart(key, found.kind, kind)) ?? name
  })
  const shown = mapped[member]
  return path === member ? shown : (shown as Readonly<Record<string, unknown>>)[path.slice(member.length + 1)]
}

/** Parts of one object name each other without its key. */
function siblingStart(key: string, named: Kind, kind: Kind): number {
  return named === kind && kind.within !== null ? key.lastIndexOf('/') + 1 : 0
}

interface Subject {
  readonly kind: Kind
  readonly key: string
}

const causes = { files: '', hand: '  (changed by hand)', both: '  (changed by hand, and in the files)' } as const

function differenceLine(subject: Subject, difference: Difference, installation: Installation, isNew: boolean): string {
  const { path, value, before, cause, hidden, isUnknown } = difference
  if (hidden !== null) {
    const state = isNew ? '' : isUnknown ? ' (whether the secret differs is unknown)' : ' (differs)'
    return `    ${path}: ${hidden}${state}${causes[cause]}`
  }
  const after = lineOf(keyed(subject, difference, value, installation))
  if (isNew) return `    ${path}: ${after}`
  return `    ${path}: ${lineOf(keyed(subject, difference, before ?? null, installation))} → ${after}${causes[cause]}`
}

export function nameOf(change: Change): string {
  return isEnding(change) ? `${change.current.kind.name}.${change.current.key}` : change.definition.pointer
}

const signs = { create: '+', update: '~', delete: '-', release: '~', stay: '!' } as const

function titleOf({ kind, row }: Installed): string {
  const title = row[kind.title]
  return typeof title === 'string' && title !== '' ? ` ${JSON.stringify(title)}` : ''
}

function belowText(below: readonly Below[]): string {
  return below
    .map(({ kind, ids }) => `${ids.length} ${ids.length === 1 ? kind.singular : kind.name.replaceAll('_', ' ')}`)
    .join(', ')
}

function keeperOf({ holdsOwn }: Ending): string {
  return holdsOwn ? 'this plan does not delete' : 'this configuration did not make'
}

function endingNote(ending: Ending): string {
  const { action, below } = ending
  if (action === 'release') return '  (released: it was adopted, so it loses its mark and is not deleted)'
  if (below.length === 0) return ''
  if (action === 'delete') return `  (with ${belowText(below)})`
  return `  (stays: it holds ${belowText(below)} that ${keeperOf(ending)})`
}

/** The object stays as it is: it gets the mark of the files, or another key with it. */
export function isOfMarkAlone(change: Change): boolean {
  return change.action === 'update' && change.differences.length === 0
}

function headOf(change: Change): string {
  const head = `${signs[change.action]} ${nameOf(change)}`
  if (isEnding(change)) return `${head}${titleOf(change.current)}${endingNote(change)}`
  const notes = [
    ...(change.isAdopted
      ? [`adopted: ${change.current?.id}${change.current === null ? '' : titleOf(change.current)}`]
      : []),
    ...(change.movedFrom === null ? [] : [`was ${change.movedFrom}`]),
    ...(isOfMarkAlone(change) ? ['only the mark changes'] : []),
  ]
  return notes.length === 0 ? head : `${head}  (${notes.join('; ')})`
}

export function changeLines(change: Change, installation: Installation): readonly string[] {
  if (isEnding(change)) return [visible(headOf(change))]
  const { kind, key } = change.definition
  const isNew = change.action === 'create'
  const lines = change.differences.map((difference) => differenceLine({ kind, key }, difference, installation, isNew))
  return [headOf(change), ...lines].map(visible)
}

function count(number: number, word: string): string {
  return `${number} ${word}`
}

export function summaryOf({ changes, unchanged, left, mark }: Plan): string {
  const of = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const kept = left.length - changes.filter(isEnding).length
  const marked = changes.filter(isOfMarkAlone).length
  const [released, stay] = [of('release'), of('stay')]
  return [
    `${count(of('create'), 'to create')}, ${count(of('update') - marked, 'to change')}, ${count(of('delete'), 'to delete')}, ${unchanged.length} as they should be (mark ${mark}).`,
    ...(marked > 0 ? [`${marked} ${marked === 1 ? 'stays as it is' : 'stay as they are'} but for the mark.`] : []),
    ...(released > 0 ? [`${released} to release.`] : []),
    ...(stay > 0
      ? [`${stay} in no file ${stay === 1 ? 'stays' : 'stay'} for what ${stay === 1 ? 'it holds' : 'they hold'}.`]
      : []),
    ...(kept > 0 ? [`${kept} with the mark are in no file; --prune deletes them.`] : []),
  ].join(' ')
}

/** Why a change was not made. */
export function sentenceOf(change: Change, outcome: ChangeOutcome): string {
  switch (outcome.result) {
    case 'conflict':
      return 'somebody changed it meanwhile, so it stays as it is; plan again'
    case 'skipped':
      return `not made, because ${outcome.because} could not be made`
    case 'held':
      return isEnding(change) && change.action === 'stay'
        ? `stays: it holds ${belowText(change.below)} that ${keeperOf(change)}`
        : 'stays, because it holds something that is not deleted'
    default:
      return ''
  }
}

export function outcomeLine(change: Change, outcome: ChangeOutcome): string {
  const head = headOf(change)
  switch (outcome.result) {
    case 'done':
      return head
    case 'released':
      return change.action === 'release' ? head : `${head}: it cannot be deleted, and is no longer managed`
    case 'held':
      return change.action === 'stay' ? head : `! ${nameOf(change)}: ${sentenceOf(change, outcome)}`
    case 'conflict':
    case 'skipped':
      return `! ${nameOf(change)}: ${sentenceOf(change, outcome)}`
    case 'refused':
      return outcome.faults.map((fault) => `! ${faultText(fault)}`).join('\n')
  }
}

/** The plan for programs. */
export function planJson(plan: Plan, installation: Installation): object {
  return {
    managed_by: plan.mark,
    changes: plan.changes.map((change) => changeJson(change, installation)),
    unchanged: plan.unchanged.length,
    left: plan.left.map(({ kind, key, id }) => ({ kind: kind.name, key, id })),
    notes: plan.notes,
  }
}

function changeJson(change: Change, installation: Installation): object {
  if (isEnding(change)) {
    const { kind, key, id } = change.current
    const below = change.below.map((one) => ({ kind: one.kind.name, ids: one.ids }))
    return { action: change.action, kind: kind.name, key, id, below }
  }
  const { action, definition, current, isAdopted, movedFrom, differences } = change
  const { kind, key } = definition
  return {
    ...{ action, kind: kind.name, key, id: current?.id ?? null, adopted: isAdopted, moved_from: movedFrom },
    place: definition.positionOf([]),
    differences: differences.map((difference) => {
      const { path, hidden, cause, before, value, isUnknown } = difference
      if (hidden !== null) return { path, secret: isUnknown ? 'unknown' : 'differs', from: hidden, cause }
      const shown = (one: unknown) => keyed({ kind, key }, difference, one, installation)
      return { path, before: shown(before ?? null) ?? null, after: shown(value) ?? null, cause }
    }),
  }
}

/** YAML of a value, as files have it. Readers of YAML 1.1 find the same: bare `20:00` or `on` is no text to them. */
export function yamlOf(value: unknown, comment: string): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  document.commentBefore = comment
  return document.toString({ lineWidth: 0 })
}
