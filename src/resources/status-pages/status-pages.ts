import { parseAddressRange } from '../../auth/address-filter.ts'
import { hashPassword } from '../../auth/password.ts'
import type { Executor } from '../../database/connect.ts'
import {
  hasPagePassword,
  isPageNameTaken,
  pageChanged,
  readAccountWords,
  setPagePassword,
} from '../../database/status-pages.ts'
import { bounds } from '../../domain/bounds.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/permissions.ts'
import type { Problem } from '../../domain/problem.ts'
import { isPageHost, type PageAccess, pageAccesses, slugPattern } from '../../domain/status-page.ts'
import { timeZoneIds } from '../../domain/time-zones.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, moment, object, text } from '../../rest/fields.ts'
import { nameField, type OwnerFacts, ownerFacts, ownerField, ownerProblem } from '../on-call/references.ts'
import { pageLinks } from './page-links.ts'
import { isDifferent } from './page-parts.ts'

interface StatusPage extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly slug: string
  readonly host: string | null
  readonly access: PageAccess
  readonly password?: string
  readonly allowed_addresses: readonly string[]
}

interface Facts extends OwnerFacts {
  /** The defaults of the owner's account. */
  readonly words: { readonly language_id?: string; readonly time_zone_id?: string }
  readonly isSlugTaken: boolean
  readonly isHostTaken: boolean
  readonly hasPassword: boolean
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
    isSlugTaken: given.slug !== undefined && (await isPageNameTaken(transaction, 'slug', given.slug, id)),
    isHostTaken: host !== undefined && (await isPageNameTaken(transaction, 'host', host, id)),
    hasPassword: given.password !== undefined || (id !== null && (await hasPagePassword(transaction, id))),
    now: call.nowAt,
  }
}

const defaults = {
  description: '',
  theme: { accent: null },
  host: null,
  access: 'public',
  allowed_addresses: [],
  is_indexed: true,
  publish_after_seconds: 180,
  auto_publish: false,
  shows_suspensions: false,
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
  ]
}

/** The password is no column: its hash is written apart. */
async function keepPassword(transaction: Executor, { id, password }: StatusPage): Promise<void> {
  if (password !== undefined) await setPagePassword(transaction, id, await hashPassword(password))
}

const write: Writing<StatusPage, Facts> = {
  most: { count: bounds.statusPages, per: 'owner_id' },
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

const ofServer = { readOnly: true, computed: true, filter: true, sort: true } as const

export const statusPages = resource('status_pages', {
  about:
    'Public pages that tell the states of services, with bars of the last 90 days from their service level, incidents and maintenance. A page is served at `/status/{slug}`.',
  singular: 'status page',
  making: 'Then it gets components (`POST /status_page_components`).',
  source: table('status_pages'),
  fields: {
    id: identifier(),
    owner_id: ownerField,
    slug: text({
      about: 'The end of its address, `/status/{slug}`; unique in the installation.',
      required: true,
      unique: true,
      pattern: slugPattern,
      detail: 'slug',
      maximumLength: 60,
      filter: true,
      sort: true,
      example: 'shop',
    }),
    title: { ...nameField, example: 'Shop status' },
    description: text({
      about: 'Plain text below the title.',
      multiline: true,
      maximumLength: 2000,
      example: 'The state of our shop and its API.',
    }),
    language_id: text({
      about: "Of its words. Default: the owner's.",
      oneOf: languageIds,
      filter: true,
      example: 'en',
    }),
    time_zone_id: text({
      about: "Of its days and moments. Default: the owner's.",
      oneOf: timeZoneIds,
      filter: true,
      example: 'europe_warsaw',
    }),
    theme: object(
      {
        accent: text({
          about: 'Of links and marks. A color that is hard to read is made darker or lighter until it is not.',
          nullable: true,
          pattern: /^#[0-9a-f]{6}$/i,
          detail: 'color',
        }),
      },
      { about: 'Its look.', example: { accent: '#1f6feb' } },
    ),
    host: text({
      about:
        'A host name of its own, at whose `/` the page is served, if the operator permits it (`STATUS_PAGE_HOSTS`). Its DNS record leads here.',
      nullable: true,
      unique: true,
      untypical: true,
      maximumLength: 253,
      filter: true,
      example: null,
    }),
    access: text({
      about:
        'Who may see it: everybody, those who know its password, those who have its secret link, those whose IP address is among `allowed_addresses`, or those who are logged in to an account of the owner.',
      oneOf: pageAccesses,
      filter: true,
      example: 'public',
    }),
    password: text({
      about: 'For access by password; a new one ends every visit with the old one.',
      writeOnly: true,
      elsewhere: true,
      minimumLength: 8,
      maximumLength: 256,
      multiline: true,
      untypical: true,
    }),
    allowed_addresses: list(text({ maximumLength: 50 }), {
      about: 'IP addresses or CIDR ranges, for access by address.',
      maximumLength: 200,
      example: ['192.0.2.0/24'],
    }),
    is_indexed: boolean({
      about: 'Whether search engines may list it; never a page that is not public.',
      example: true,
    }),
    publish_after_seconds: integer({
      about: 'A failure or a recovery appears on the page once it has lasted this long, so that short ones do not.',
      minimum: 0,
      maximum: 86_400,
      example: 180,
    }),
    auto_publish: boolean({
      about: 'Whether failures publish their incidents by themselves. Otherwise they open drafts.',
      example: false,
    }),
    shows_suspensions: boolean({
      about: 'Whether one-off suspensions of its services appear as maintenance.',
      example: false,
    }),
    created_at: moment(ofServer),
    updated_at: moment({ ...ofServer, about: 'When the page or a part of it was last changed.' }),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'slug', 'title'],
  visible: (caller) => ownOrParents(caller),
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  children: {
    components: by('status_page_components', 'status_page_id', 'Components of a status page'),
    incidents: by('status_page_incidents', 'status_page_id', 'Incidents and maintenance of a status page'),
  },
  write,
  actions: pageLinks,
})
