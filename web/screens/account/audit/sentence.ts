import { actions } from './actions.ts'
import type { Change } from './change.ts'
import { type Difference, differencesOf, isSecret } from './differences.ts'
import { fieldNames } from './fields.ts'
import { kinds, several } from './kinds.ts'
import { settingNames } from './setting-names.ts'
import { type Told, valueText } from './value-text.ts'

/** A record as a sentence: who, then the texts around the object. */
export interface Sentence {
  readonly who: string
  readonly before: string
  /** The kind of the object, before its name; empty where the name says enough. */
  readonly noun: string
  /** The name of the object, or its number; null for several objects. */
  readonly name: string | null
  readonly after: string
}

const mostTold = 3

/** `services.bulk_update` → `bulk_update`; the pause of a service has words of its own. */
function actionOf({ operation, before, after }: Change, differences: readonly Difference[]): string {
  const [only, ...others] = differences
  const isChange = /\.(update|bulk_update)$/.test(operation) && before !== null && after !== null
  if (isChange && others.length === 0 && only?.field === 'is_active') return only.after === true ? 'resume' : 'pause'
  return operation.slice(operation.lastIndexOf('.') + 1)
}

const tellsValues = /^(update|bulk_update|bulk_change_group|put)$/

export function sentenceOf(change: Change, told: Told): Sentence {
  const { words } = told
  const differences = differencesOf(change)
  const action = actionOf(change, differences)
  const template = actions[words.language][action] ?? `${action.replaceAll('_', ' ')}: {}`
  const name = objectName(change, told)
  const [only, ...others] = tellsValues.test(action) ? differences : []
  const isOne = only !== undefined && others.length === 0
  const text = isOne ? phrase(only, words.one, told) : template + listed(only === undefined ? [] : differences, told)
  // The name may stand alone in "the interval of Shop"; a number says too little.
  const isNamed = isOne && words.language === 'en' && name?.isNumber === false
  const noun = isNamed ? '' : nounOf(change, told, { isNamed: name === null ? null : !name.isNumber, text })
  const [before = '', after = ''] = text.split('{}')
  return { who: whoOf(change, told), before: `${words.between}${before}`, noun, name: name?.text ?? null, after }
}

interface Place {
  /** Null: the record names no object. */
  readonly isNamed: boolean | null
  /** The sentence in which the noun stands for `{}`. */
  readonly text: string
}

const isBulk = /[._]bulk_/

function nounOf({ resource, operation }: Change, { words }: Told, { isNamed, text }: Place): string {
  const noun = kinds[resource]
  if (noun === undefined) return resource.replaceAll('_', ' ')
  const isPolish = words.language === 'pl'
  const many = isNamed === null && isBulk.test(operation) ? several[resource] : undefined
  if (many !== undefined) return many[isPolish ? 1 : 0]
  // Polish has the nominative behind a colon.
  if (isPolish) return text.includes(': {}') ? noun[1] : noun[2]
  if (isNamed === null) return `${/^[aeioA]/.test(noun[0]) ? 'an' : 'a'} ${noun[0]}`
  return isNamed ? `the ${noun[0]}` : noun[0]
}

function objectName(change: Change, { words, nameOf }: Told): { text: string; isNumber: boolean } | null {
  const { resource, object_id: id, before, after } = change
  const known = id === null ? undefined : nameOf(resource, id)
  const own = ['name', 'title', 'address', 'username', 'slug'].map((field) => after?.[field] ?? before?.[field])
  const written = own.find((text): text is string => typeof text === 'string' && text !== '' && !text.includes('***'))
  const text = known ?? written
  if (text !== undefined) return { text, isNumber: false }
  return id === null ? null : { text: words.numbered(id), isNumber: true }
}

export function labelOf(field: string, { words }: Pick<Told, 'words'>): string {
  const names = fieldNames[field] ?? settingNames[field]
  return names?.[words.language === 'pl' ? 1 : 0] ?? field.replaceAll('_', ' ')
}

type Phrases = Told['words']['one']

function phrase(difference: Difference, phrases: Phrases, told: Told): string {
  const { field, before, after } = difference
  const label = labelOf(field, told)
  if (isSecret(difference)) return phrases.secret(label)
  const [was, is] = [before, after].map((value) => (value === null ? null : valueText(field, value, told)))
  if (typeof after === 'boolean') return phrases.flag(label, is ?? '')
  if (before !== null && after !== null) return was && is ? phrases.changed(label, was, is) : phrases.other(label)
  if (after !== null) return is ? phrases.set(label, is) : phrases.other(label)
  return was ? phrases.removed(label, was) : phrases.other(label)
}

function listed(differences: readonly Difference[], told: Told): string {
  if (differences.length === 0) return ''
  const texts = differences.slice(0, mostTold).map((one) => phrase(one, told.words.many, told))
  const rest = differences.length - texts.length
  return told.words.list(rest === 0 ? texts : [...texts, told.words.more(rest)])
}

function whoOf({ account, account_id: id, api_key_id: keyId, api_key: key }: Change, { words }: Told): string {
  const who = account?.name || account?.username || (id === null ? words.program : words.account(id))
  return keyId === null ? who : words.byKey(who, key?.name ?? words.unnamedKey(keyId))
}
