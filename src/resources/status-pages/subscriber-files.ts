import { Readable } from 'node:stream'
import type { Database } from '../../database/connect.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { subscriberKinds } from '../../domain/status-pages/subscriber.ts'
import { componentNames, type ListedSubscriber, subscribersAfter } from '../../outbox/many-subscribers.ts'
import type { Operation } from '../../rest/call.ts'
import { boolean, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { problemBody, refuse, refuseAny } from '../../rest/problems.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import { downloadGuards } from '../history/download.ts'
import { type Importer, importTable } from './subscriber-import.ts'
import { exportColumns, mostRows, type ReadTable, readTable, type TableRow, tableLine } from './subscriber-table.ts'

const tag = 'status_page_subscribers'

const exportPath = '/status_pages/{_id}/subscribers/export'

/** Rows that are read at once. */
const pageSize = 1000

function lineOf(one: ListedSubscriber, names: ReadonlyMap<number, string>): string {
  const state = one.disabled_reason !== null ? 'disabled' : one.confirmed_at !== null ? 'confirmed' : 'waiting'
  return tableLine([
    ...[one.address, one.kind, one.component_ids.join(' ')],
    one.component_ids.map((id) => names.get(id) ?? `#${id}`).join('; '),
    ...[state, one.disabled_reason ?? '', formatMoment(one.created_at)],
    one.confirmed_at === null ? '' : formatMoment(one.confirmed_at),
  ])
}

async function* tableOf(database: Database, pageId: number): AsyncGenerator<string> {
  yield tableLine(exportColumns)
  const names = new Map((await componentNames(database, pageId)).map(({ id, name }) => [id, name]))
  let afterId = 0
  while (true) {
    const rows = await subscribersAfter(database, pageId, { afterId, limit: pageSize })
    if (rows.length > 0) yield rows.map((one) => lineOf(one, names)).join('')
    if (rows.length < pageSize) return
    afterId = rows.at(-1)?.id ?? afterId
  }
}

const exporting: Operation = {
  id: 'status_pages.export_subscribers',
  method: 'GET',
  path: exportPath,
  tag,
  summary: 'Subscribers of a status page as CSV',
  about:
    'A table in UTF-8 with a line for each: address, kind, component_ids, components, state (`confirmed`, `waiting`, `disabled`), disabled_reason, created_at, confirmed_at. An address of a hook has no secret part. A cell that a spreadsheet would run as a formula has an apostrophe before it.',
  access: 'customer',
  parameters: pathParameters(exportPath),
  answers: {
    200: {
      about: 'The table.',
      contentType: 'text/csv',
      schema: { type: 'string' },
      headers: { 'Content-Disposition': 'File name.' },
    },
  },
  async handle(call) {
    const page = await locatedRow(call.registry.get('status_pages'), call, { flags: [] })
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      ...downloadGuards(`${String(page['slug'])}-subscribers.csv`),
    }
    return { status: 200, headers, stream: Readable.from(tableOf(call.database, Number(page['id']))) }
  },
}

const importPath = '/status_pages/{_id}/subscribers/import'

const body = {
  csv: text({
    about: `A table with titles in its first line: \`address\` (or \`email\`), and as far as wanted \`kind\` (${subscriberKinds.filter((kind) => kind !== 'web_push').join(', ')}; default: email), \`component_ids\` (separated by spaces) or \`components\` (names separated by semicolons), \`state\`. Other columns are passed over. A list of addresses needs no titles. At most ${mostRows} rows, separated by commas, semicolons or tabs.`,
    required: true,
    multiline: true,
    minimumLength: 1,
    maximumLength: 1_000_000,
    example: 'address\nanna@example.com\n',
  }),
  has_consent: boolean({
    about:
      'The owner declares that these people asked for the messages, so mailboxes are subscribed at once, and told so. The operator says which accounts may (`SUBSCRIBER_CONSENT_ACCOUNTS`). Default: each address is asked.',
    example: false,
  }),
} as const

const count = (description: string) => ({ type: 'integer', minimum: 0, maximum: maximumInteger, description })

const report = {
  type: 'object',
  properties: {
    asked: count('Addresses that got a message to confirm.'),
    added: count('Mailboxes that are told from now on, by the consent.'),
    present: count('Addresses that the page had, or that an earlier line has. They stay as they are.'),
    refused: {
      type: 'array',
      description: 'The rows that are wrong, or beyond a limit.',
      items: {
        type: 'object',
        properties: {
          line: { type: 'integer', minimum: 1, maximum: maximumInteger, description: 'In the file, from 1.' },
          error: { type: 'string' },
          field: { type: 'string', description: 'The column.' },
          message: { type: 'string' },
        },
        required: ['line', 'error', 'message'],
      },
    },
  },
  required: ['asked', 'added', 'present', 'refused'],
  example: {
    ...{ asked: 1, added: 0, present: 0 },
    refused: [{ line: 3, error: 'incorrect_value', field: 'address', message: 'The value is incorrect.' }],
  },
} as const

function rowsOf(csv: string): readonly TableRow[] {
  const table: ReadTable = readTable(csv)
  if ('rows' in table) return table.rows
  if (table.fault === 'too_many') return refuse('value_too_long', 'data.csv', { maximum: mostRows })
  const facts = { detail: table.fault, ...('line' in table ? { line: table.line } : {}) }
  return refuse('incorrect_value', 'data.csv', facts)
}

function importing(importer: Importer): Operation {
  return {
    id: 'status_pages.import_subscribers',
    method: 'POST',
    path: importPath,
    tag,
    summary: 'Add subscribers of a status page from CSV',
    about: `Good rows are added, and the answer names the others. Each address is asked as if it were added alone, within the same limits, unless the owner may declare a consent. Repeat the file to go on: known addresses stay as they are. A page has at most ${countLimits.statusPageSubscribers} subscribers.`,
    access: 'customer',
    parameters: pathParameters(importPath),
    body,
    answers: { 200: { about: 'The report.', schema: report } },
    async handle(call) {
      const { values, problems } = readBody(body, call.body, call.nowAt)
      refuseAny(problems)
      const { csv, has_consent: hasConsent = false } = values as { csv: string; has_consent?: boolean }
      const { refused, ...counts } = await importTable(importer, call, { rows: rowsOf(csv), hasConsent })
      const told = refused.map(({ line, problem }) => {
        const [{ error, message } = {}] = problemBody([problem], call.language)
        return { line, error, ...(problem.field === undefined ? {} : { field: problem.field }), message }
      })
      return { status: 200, body: { ...counts, refused: told } }
    },
  }
}

/** The subscribers of a page as a file, and subscribers from one. */
export function subscriberFiles(importer: Importer): readonly Operation[] {
  return [exporting, importing(importer)]
}
