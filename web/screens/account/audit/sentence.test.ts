import { describe, expect, test } from 'vitest'
import document from '../../../../docs/openapi.json' with { type: 'json' }
import { actions } from './actions.ts'
import { csv, json, type Written } from './audit-file.ts'
import type { Change } from './change.ts'
import { fieldNames } from './fields.ts'
import { kinds } from './kinds.ts'
import { labelOf, sentenceOf } from './sentence.ts'
import { sentenceWords } from './sentence-words.ts'
import { settingNames } from './setting-names.ts'

const names: Readonly<Record<string, string>> = { 'groups 3': 'Office', 'groups 4': 'Shops', 'services 7': 'Shop' }

const change = (parts: Partial<Change>): Change => ({
  ...{ id: 1, time: '2026-11-21T09:00:00Z', account_id: 2, account: { name: 'Anna', username: 'anna' } },
  ...{ api_key_id: null, api_key: null, ip_address: '192.0.2.7', source: 'console' },
  ...{ operation: 'services.update', resource: 'services', object_id: '7', before: null, after: null },
  ...parts,
})

function text(language: 'en' | 'pl', parts: Partial<Change>): string {
  const { who, before, noun, name, after } = sentenceOf(change(parts), {
    words: sentenceWords[language],
    format: { moment: (iso) => iso, number: String },
    nameOf: (kind, id) => names[`${kind} ${id}`],
  })
  return `${who}${before}${noun}${noun === '' || name === null ? '' : ' '}${name === null ? '' : `*${name}*`}${after}`
}

const both = (parts: Partial<Change>) => [text('en', parts), text('pl', parts)]

describe('sentences of the audit log', () => {
  test.each<[Partial<Change>, string, string]>([
    [
      { before: { interval: 60 }, after: { interval: 30 } },
      'Anna changed the interval of *Shop* from 60 s to 30 s',
      'Anna: zmieniono usługę *Shop* – odstęp z 60 s na 30 s',
    ],
    [
      { before: { interval: 60, name: 'Sklep' }, after: { interval: 30, name: 'Shop' } },
      'Anna changed the service *Shop*: interval from 60 s to 30 s, name from “Sklep” to “Shop”',
      'Anna: zmieniono usługę *Shop* – odstęp z 60 s na 30 s, nazwa z „Sklep” na „Shop”',
    ],
    [
      { before: { group_id: 3 }, after: { group_id: 4 } },
      'Anna changed the group of *Shop* from “Office” to “Shops”',
      'Anna: zmieniono usługę *Shop* – grupa z „Office” na „Shops”',
    ],
    [
      { before: { description: null }, after: { description: 'Ours' } },
      'Anna set the description of *Shop* to “Ours”',
      'Anna: zmieniono usługę *Shop* – opis: „Ours”',
    ],
    [
      { before: { description: 'Ours' }, after: {} },
      'Anna removed the description of *Shop*, which was “Ours”',
      'Anna: zmieniono usługę *Shop* – opis: usunięto „Ours”',
    ],
    [
      { before: { extended_settings: { password: '***' } }, after: { extended_settings: { password: '*** (new)' } } },
      'Anna replaced the password of *Shop*',
      'Anna: zmieniono usługę *Shop* – hasło: nowa wartość',
    ],
    [
      { before: { is_active: true }, after: { is_active: false } },
      'Anna paused the service *Shop*',
      'Anna: wstrzymano usługę *Shop*',
    ],
    [
      { operation: 'services.remove', object_id: '9', before: { name: 'Old' } },
      'Anna removed the service *Old*',
      'Anna: usunięto usługę *Old*',
    ],
    [
      { operation: 'suspensions.create', resource: 'suspensions', object_id: '5', after: { service_id: 7 } },
      'Anna added suspension *number 5*',
      'Anna: dodano zawieszenie *numer 5*',
    ],
    [
      { api_key_id: 4, api_key: { name: 'Deploy' }, operation: 'services.archive' },
      'Anna (API key Deploy) archived the service *Shop*',
      'Anna (klucz API Deploy): zarchiwizowano usługę *Shop*',
    ],
    [
      { account_id: 9, account: null, operation: 'services.bulk_pause', object_id: null },
      'Account 9 paused several services',
      'Konto 9: wstrzymano kilka usług',
    ],
    [
      { operation: 'services.bulk_pause', object_id: '7' },
      'Anna paused the service *Shop*',
      'Anna: wstrzymano usługę *Shop*',
    ],
    [
      { operation: 'services.bulk_change_group', before: { group_id: 3 }, after: { group_id: 4 } },
      'Anna changed the group of *Shop* from “Office” to “Shops”',
      'Anna: zmieniono usługę *Shop* – grupa z „Office” na „Shops”',
    ],
    [
      { operation: 'services.issue_badge_token' },
      'Anna issued a badge link of the service *Shop*',
      'Anna: wydano link znaczka: usługa *Shop*',
    ],
    [
      { operation: 'api_keys.create', resource: 'api_keys', object_id: null },
      'Anna added an API key',
      'Anna: dodano klucz API',
    ],
    [
      { account_id: null, account: null, operation: 'audit.mask', resource: 'audit', object_id: '41' },
      'Latarnik erased personal data in record of this log *number 41*',
      'Latarnik: usunięto dane osobowe: zapis tego dziennika *numer 41*',
    ],
  ])('%j', (parts, en, pl) => {
    expect(both(parts)).toEqual([en, pl])
  })

  test('large values are named, not shown; of many values three are told', () => {
    const after = { body: 'x'.repeat(300), name: 'A', slug: 'a', color: 'red', host: 'b' }
    const before = { body: 'y', name: 'B', slug: 'b', color: 'blue', host: 'c' }
    expect(text('en', { before, after })).toBe(
      'Anna changed the service *Shop*: text changed, name from “B” to “A”, short name from “b” to “a”, 2 more',
    )
  })
})

interface Described {
  readonly operationId: string
  readonly security?: readonly object[]
}

/** The changes that need a login, by the API's document; the log leaves a few of them out. */
function changingOperations(): readonly string[] {
  const paths: Record<string, Record<string, Described>> = Object(document.paths)
  const silent = /\.(search|preview|trial|force_custom_analysis|write_setting|remove_setting|(passkey_2fa_)?options)$/
  return Object.values(paths).flatMap((methods) =>
    ['post', 'put', 'delete'].flatMap((method) => {
      const { operationId = '', security = [] } = methods[method] ?? {}
      return security.length > 0 && !silent.test(operationId) ? [operationId] : []
    }),
  )
}

test('every operation that is recorded has words in both languages, and so has every kind of object', () => {
  const recorded = changingOperations()
  expect(recorded.length).toBeGreaterThan(150)
  for (const id of recorded) {
    const action = id.slice(id.lastIndexOf('.') + 1)
    const kind = id
      .slice(0, id.lastIndexOf('.'))
      .replace(/^(admin|system)_/, '$1/')
      .replace(/^auth_token$/, 'sessions')
    expect([id, actions.en[action], actions.pl[action]]).toEqual([
      id,
      expect.stringContaining('{}'),
      expect.stringContaining('{}'),
    ])
    expect([id, kinds[kind]]).toEqual([id, [expect.any(String), expect.any(String), expect.any(String)]])
    const said = both({ operation: id, resource: kind, object_id: '1', before: { name: 'x' }, after: { name: 'y' } })
    expect([id, said.filter((one) => one.includes('_') || one.includes('{}') || one.includes('undefined'))]).toEqual([
      id,
      [],
    ])
  }
})

test('every change of many objects is a whole sentence, of one of them and of several', () => {
  const bulk = changingOperations().filter((id) => /[._]bulk_/.test(id))
  expect(bulk.length).toBeGreaterThan(15)
  for (const operation of bulk) {
    const dot = operation.indexOf('.')
    const resource = operation.endsWith('corrections_bulk_create') ? 'corrections' : operation.slice(0, dot)
    const [en, pl] = both({ operation, resource, object_id: null })
    expect([operation, en, pl]).toEqual([
      operation,
      expect.stringMatching(/^Anna [a-z]+( [a-z]+)* several [a-z ]+$/),
      expect.stringMatching(/^Anna: [a-ząćęłńóśźż: ]+ kilka [a-ząćęłńóśźż ]+$/),
    ])
    const [one, jeden] = both({ operation, resource, object_id: '5' })
    expect([one, jeden]).toEqual([expect.stringContaining('*number 5*'), expect.stringContaining('*numer 5*')])
  }
})

test('files have every record: CSV that spreadsheets read and do not run, and JSON that is read back', () => {
  const changes = [
    change({ id: 1, after: { name: '=HYPERLINK("http://x")', list: [1, 2] } }),
    change({ id: 2, ip_address: '', account: { name: 'Żaneta', username: '＝cmd' } }),
  ]
  const textOf = ({ begin, page, end }: Written) =>
    begin + changes.map((one, place) => page([one], place === 0)).join('') + end
  expect(textOf(csv)).toBe(
    '\uFEFFid,time,account_id,account,api_key_id,ip_address,source,operation,resource,object_id,before,after\r\n' +
      '"1","2026-11-21T09:00:00Z","2","anna","","192.0.2.7","console","services.update","services","7","","{""name"":""=HYPERLINK(\\""http://x\\"")"",""list"":[1,2]}"\r\n' +
      '"2","2026-11-21T09:00:00Z","2","\'＝cmd","","","console","services.update","services","7","",""\r\n',
  )
  expect(JSON.parse(textOf(json))).toEqual(changes)
  expect(JSON.parse(json.begin + json.end)).toEqual([])
})

test('every value that a person changes in a service, a contact, a page or a report has a name in both languages', () => {
  const unnamed: string[] = []
  const met = new Set<string>()
  for (const [path, methods] of Object.entries(document.paths)) {
    if (
      !/^\/(services|groups|tags|contacts|escalations|rotations|status_pages|report_templates|wallboards)$/.test(path)
    )
      continue
    const { post } = methods as { post?: { requestBody: { content: { 'application/json': { schema: unknown } } } } }
    for (const field of membersOf(post?.requestBody.content['application/json'].schema)) {
      met.add(field)
      const [en, pl] = (['en', 'pl'] as const).map((language) => labelOf(field, { words: sentenceWords[language] }))
      if (fieldNames[field] === undefined && settingNames[field] === undefined)
        unnamed.push(`${path} ${field}: ${en}, ${pl}`)
    }
  }
  expect(met.size).toBeGreaterThan(60)
  expect(unnamed).toEqual([])
})

interface Described {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly oneOf?: readonly unknown[]
  readonly anyOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
}

/** The members of a body, and those of its settings. */
function membersOf(schema: unknown, isWhole = true): readonly string[] {
  const { $ref, properties = {}, oneOf = [], anyOf = [], allOf = [] } = (schema ?? {}) as Described
  if ($ref !== undefined) {
    const name = $ref.slice('#/components/schemas/'.length)
    return membersOf((document.components.schemas as Readonly<Record<string, unknown>>)[name], isWhole)
  }
  const own = Object.entries(properties).flatMap(([field, below]) =>
    field === 'extended_settings' && isWhole ? [field, ...membersOf(below, false)] : [field],
  )
  return [...own, ...[...oneOf, ...anyOf, ...allOf].flatMap((one) => membersOf(one, isWhole))]
}
