import { parseAddressRange } from '../../auth/address-filter.ts'
import { hashPassword } from '../../auth/password.ts'
import type { Executor } from '../../database/connect.ts'
import { isHostTaken } from '../../database/status-pages/page-hosts.ts'
import {
  hasPagePassword,
  isSlugTaken,
  pageChanged,
  readAccountWords,
  setPagePassword,
} from '../../database/status-pages/status-pages.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { isPageHost, type PageAccess } from '../../domain/status-pages/status-page.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { type OwnerFacts, ownerFacts, ownerProblem } from '../on-call/references.ts'
import { pageFields } from './page-fields.ts'
import { checkHost } from './page-hosts.ts'
import { pageLinks } from './page-links.ts'
import { pageLogos } from './page-logos.ts'
import { isDifferent } from './page-parts.ts'
import { type PreviewPage, pagePreview } from './page-preview.ts'
import { type PageTheme, plainTheme, strangeLogos, themeProblems } from './page-theme.ts'
import { subscriberFiles } from './subscriber-files.ts'
import type { Importer } from './subscriber-import.ts'

interface StatusPage extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly slug: string
  readonly host: string | null
  readonly access: PageAccess
  readonly password?: string
  readonly allowed_addresses: readonly string[]
  readonly theme?: PageTheme
}

interface Facts extends OwnerFacts {
  /** The defaults of the owner's account. */
  readonly words: { readonly language_id?: string; readonly time_zone_id?: string }
  readonly isSlugTaken: boolean
  readonly isHostTaken: boolean
  readonly hasPassword: boolean
  /** Members of the theme that name no logo of the owner. */
  readonly strangeLogos: readonly string[]
  readonly now: number
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<StatusPage>,
  before: StatusPage | null,
): Promise<Facts> {
  const id = before?.id ?? null
  const host = given.host?.toLowerCase()
  const owner = ownerFacts(call, given, before)
  return {
    ...owner,
    words: await readAccountWords(transaction, owner.ownerId),
    isSlugTaken: given.slug !== undefined && (await isSlugTaken(transaction, given.slug, id)),
    isHostTaken: host !== undefined && (await isHostTaken(transaction, host, id)),
    hasPassword: given.password !== undefined || (id !== null && (await hasPagePassword(transaction, id))),
    strangeLogos: await strangeLogos(transaction, owner.ownerId, given.theme, call.nowAt),
    now: call.nowAt,
  }
}

const defaults = {
  description: '',
  theme: plainTheme,
  host: null,
  access: 'public',
  allowed_addresses: [],
  is_indexed: true,
  publish_after_seconds: 180,
  auto_publish: false,
  shows_suspensions: false,
  shows_weekly_suspensions: false,
} as const

function complete(given: Partial<StatusPage>, before: StatusPage | null, { ownerId, words, now }: Facts) {
  const host = given.host?.toLowerCase()
  const row = { ...given, ...(host === undefined ? {} : { host }) }
  if (before !== null) return { row, problems: [] }
  const made = {
    ...defaults,
    ...words,
    ...row,
    ...{ owner_id: ownerId, created_at: now, updated_at: now },
  }
  return { row: made as Partial<StatusPage>, problems: [] }
}

function rangeProblems(ranges: readonly string[]): readonly Problem[] {
  return ranges.flatMap((range, index) =>
    parseAddressRange(range) === undefined
      ? [{ error: 'incorrect_value', field: `data.allowed_addresses[${index}]`, facts: { detail: 'address_range' } }]
      : [],
  )
}

function rules(row: Partial<StatusPage>, known: Facts): readonly Problem[] {
  const { host, access, allowed_addresses: ranges = [] } = row
  const isPasswordMissing = access === 'password' && !known.hasPassword
  return [
    ...ownerProblem(known),
    ...(known.isSlugTaken ? [{ error: 'value_is_not_unique', field: 'data.slug' }] : []),
    ...(known.isHostTaken ? [{ error: 'value_is_not_unique', field: 'data.host' }] : []),
    ...(host != null && !isPageHost(host)
      ? [{ error: 'incorrect_value', field: 'data.host', facts: { detail: 'page_host' } }]
      : []),
    ...(isPasswordMissing
      ? [{ error: 'incorrect_value', field: 'data.password', facts: { detail: 'page_password' } }]
      : []),
    ...rangeProblems(ranges),
    ...themeProblems(known.strangeLogos),
  ]
}

/** The password is no column: its hash is written apart. */
async function keepPassword(transaction: Executor, { id, password }: StatusPage): Promise<void> {
  if (password !== undefined) await setPagePassword(transaction, id, await hashPassword(password))
}

const write: Writing<StatusPage, Facts> = {
  countLimit: { count: countLimits.statusPages, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete,
  rules,
  created: (transaction, _call, row) => keepPassword(transaction, row),
  async changed(transaction, { nowAt }, row, before) {
    await keepPassword(transaction, row)
    if (isDifferent(row, before)) await pageChanged(transaction, row.id, nowAt)
  },
}

const declaration = {
  about:
    'Public pages that tell the states of services, with bars of the last 90 days from their service level, incidents and maintenance. A page is served at `/status/{slug}`.',
  singular: 'status page',
  making: 'Then it gets components (`POST /status_page_components`).',
  source: table('status_pages'),
  fields: pageFields,
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'slug', 'title'],
  visible: ownOrParents,
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: { secrets: () => ['password'], title: 'title' },
  children: {
    components: by('status_page_components', 'status_page_id', 'Components of a status page'),
    incidents: by('status_page_incidents', 'status_page_id', 'Incidents and maintenance of a status page'),
    incident_templates: by('status_page_incident_templates', 'status_page_id', 'Prepared incidents of a status page'),
    subscribers: by('status_page_subscribers', 'status_page_id', 'Subscribers of a status page'),
  },
  write,
} as const

export function statusPages(previewPage: PreviewPage, importer: Importer): Resource {
  return resource('status_pages', {
    ...declaration,
    actions: [...pageLinks, checkHost, ...pageLogos, pagePreview(previewPage), ...subscriberFiles(importer)],
  })
}
