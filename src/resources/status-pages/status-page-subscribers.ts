import sql from 'sql-template-tag'
import { countAsking } from '../../auth/asking-limits.ts'
import { destinationOf } from '../../channels/index.ts'
import { subscriberAddress } from '../../channels/subscriber-hooks.ts'
import type { VendorUrls } from '../../channels/vendors.ts'
import type { Executor } from '../../database/connect.ts'
import { ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { type SubscriberKind, subscriberKinds } from '../../domain/status-pages/subscriber.ts'
import { isSubscribed, makeSubscriber, type SubscriberAddress } from '../../outbox/subscribers.ts'
import type { Call } from '../../rest/call.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, integer, moment, text } from '../../rest/fields.ts'
import { refuseWith } from '../../rest/problems.ts'
import { ids } from '../on-call/references.ts'
import {
  firstFields,
  type NamingFacts,
  namingFacts,
  namingProblems,
  ofServer,
  pageProblems,
  partWriting,
} from './page-parts.ts'
import { askingProblem, parentOrSelf } from './subscriber-asking.ts'

interface Subscriber extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly status_page_id: number
  readonly kind: SubscriberKind
  readonly address: string
  readonly component_ids: readonly number[]
}

interface Facts extends NamingFacts {
  /** Null: the address stays as it is, or cannot be read. */
  readonly address: SubscriberAddress | null
  readonly problems: readonly Problem[]
}

const byBrowsers: Problem = { error: 'incorrect_value', field: 'data.kind', facts: { detail: 'subscriber_browser' } }

async function newAddress(
  transaction: Executor,
  { kind, address }: Partial<Subscriber>,
  pageId: number,
  vendorUrls: VendorUrls,
): Promise<Pick<Facts, 'address' | 'problems'>> {
  if (kind === undefined || address === undefined) return { address: null, problems: [] }
  if (kind === 'web_push') return { address: null, problems: [byBrowsers] }
  const completed = subscriberAddress({ kind, address }, vendorUrls)
  if ('problems' in completed) return { address: null, problems: completed.problems }
  const isTaken = await isSubscribed(transaction, pageId, completed.address)
  return {
    address: completed.address,
    problems: isTaken ? [{ error: 'value_is_not_unique', field: 'data.address' }] : [],
  }
}

function factsWith(vendorUrls: VendorUrls) {
  return async (
    transaction: Executor,
    call: Call,
    given: Partial<Subscriber>,
    before: Subscriber | null,
  ): Promise<Facts> => {
    const page = await namingFacts(transaction, call, given, before)
    const isNew = before === null && page.pageOwnerId !== null
    const own = isNew
      ? await newAddress(transaction, given, page.pageId, vendorUrls)
      : { address: null, problems: [] as const }
    return { ...page, ...own }
  }
}

/** The owner asks like everybody else: the address is told nothing until it is confirmed. */
async function insert(
  transaction: Executor,
  { nowAt }: Call,
  row: Subscriber,
  { address, pageId, pageOwnerId }: Facts,
) {
  if (address === null || pageOwnerId === null) throw new Error('A subscriber of no page passed the rules.')
  const destination = destinationOf(address.kind, address.sameness)
  const ownerId = await parentOrSelf(transaction, pageOwnerId)
  const limit = await countAsking(transaction, { pageId, by: { ownerId }, destination }, nowAt)
  if (limit !== null) refuseWith(askingProblem(limit.limit))
  const id = await makeSubscriber(transaction, { ...address, pageId, componentIds: row.component_ids ?? [] }, nowAt)
  return { id }
}

function writingWith(vendorUrls: VendorUrls): Writing<Subscriber, Facts> {
  const { allowed, explain } = partWriting
  return {
    ...{ allowed, explain, facts: factsWith(vendorUrls), insert },
    countLimit: { count: countLimits.statusPageSubscribers, per: 'status_page_id' },
    rules: (row, known, before) => [
      ...pageProblems(row, known),
      ...known.problems,
      ...namingProblems(row.component_ids ?? [], known, before?.component_ids),
    ],
  }
}

const fields = {
  ...firstFields,
  kind: text({
    about: 'A browser (`web_push`) subscribes on the page alone.',
    required: true,
    immutable: true,
    oneOf: subscriberKinds,
    filter: true,
    sort: true,
    example: 'email',
  }),
  address: text({
    about: 'The mailbox, or the URL of the hook. Of a URL only the part without secrets is shown.',
    required: true,
    immutable: true,
    unique: true,
    isPersonal: true,
    minimumLength: 1,
    maximumLength: 2048,
    filter: true,
    contains: true,
    sort: true,
    example: 'anna@example.com',
  }),
  component_ids: ids(
    'Components of the page that the messages are about; none: all. One that was removed stays, so that nobody gets more than they chose.',
    500,
  ),
  is_confirmed: boolean({
    about: 'False: the address waits for its confirmation, and gets nothing else.',
    readOnly: true,
    computed: true,
    filter: true,
    example: false,
  }),
  disabled_reason: text({
    about: 'Why nothing is sent any more: the refusal of the address. Null: it is in use.',
    readOnly: true,
    computed: true,
    nullable: true,
    example: null,
  }),
  created_at: moment(ofServer),
  owner_id: integer({ internal: true }),
}

export function statusPageSubscribers(vendorUrls: VendorUrls = new Map()): Resource {
  return resource('status_page_subscribers', {
    about:
      'Subscribers are told of the incidents and maintenance of a status page. Visitors subscribe by themselves at `/status/{slug}/subscribe`. Nobody is told anything before the address was confirmed, whoever added it.',
    singular: 'status page subscriber',
    making:
      'An e-mail, Slack, Teams or Discord address gets a link to confirm; a webhook gets a request of the type `subscription.challenge`, and its answer must repeat the challenge (docs/status-pages.md). An address that nobody confirms within three days is forgotten.',
    source: table(
      'status_page_subscribers',
      () => sql`
        select part.id, part.status_page_id, part.kind, part.address, part.component_ids, part.disabled_reason, part.created_at,
          part.confirmed_at is not null as is_confirmed, p.owner_id
        from status_page_subscribers part join status_pages p on p.id = part.status_page_id`,
    ),
    fields,
    relations: { status_page: one('status_pages', 'status_page_id') },
    embed: ['status_page', 'permissions'],
    subresources: ['status_page'],
    search: ['id', 'address'],
    visible: (caller) => ownOrParents(caller),
    permissions: tagPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    write: writingWith(vendorUrls),
  })
}
