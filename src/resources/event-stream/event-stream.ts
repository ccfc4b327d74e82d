import { holderOf } from '../../auth/standing.ts'
import { type Problem, unknownParameter } from '../../domain/input/problem.ts'
import type { EventFilter } from '../../domain/stream-event.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { refuse, refuseAny, refuseTooMany } from '../../rest/problems.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import type { EventFeed } from './feed.ts'

const parameters = ['group_id', 'tags']
const mostValues = 100
const longestTag = 50

function readValues({ query }: Call, name: string, problems: Problem[]): readonly string[] {
  const values = query.getAll(name)
  if (values.length <= mostValues) return values
  problems.push({ error: 'value_too_long', field: `query.${name}`, facts: { maximum: mostValues } })
  return []
}

function readGroups(call: Call, problems: Problem[]): EventFilter['groupIds'] {
  const written = readValues(call, 'group_id', problems)
  if (!written.every((id) => /^\d{1,15}$/.test(id))) {
    problems.push({ error: 'incorrect_type', field: 'query.group_id', facts: { expected: 'integer' } })
  }
  return written.length === 0 ? null : new Set(written.map(Number))
}

function readTags(call: Call, problems: Problem[]): EventFilter['tags'] {
  const written = readValues(call, 'tags', problems)
  if (written.some((tag) => tag.length > longestTag)) {
    problems.push({ error: 'value_too_long', field: 'query.tags', facts: { maximum: longestTag } })
  }
  return written.length === 0 ? null : new Set(written.map((tag) => tag.toLowerCase()))
}

function refuseOthers({ query }: Call, problems: Problem[]): void {
  for (const name of new Set(query.keys())) {
    if (parameters.includes(name)) continue
    const facts = unknownParameter(name, parameters)
    problems.push({ error: 'incorrect_value', field: `query.${name}`, facts })
    refuseTooMany(problems)
  }
}

function filterOf(call: Call): EventFilter {
  const problems: Problem[] = []
  const filter = { groupIds: readGroups(call, problems), tags: readTags(call, problems) }
  refuseOthers(call, problems)
  refuseAny(problems)
  return filter
}

const about =
  'A stream of Server-Sent Events that stays open. The events are `service_status` (as `GET /service_statuses/{_id}` shows it), ' +
  '`status_change` (a new period, as in the history of its service), `notification` (sent or failed, as in the log of the account or in that of its contacts, with `contact_id`), ' +
  '`report` (completed or failed), `sensor` (lost, back, added, or changed in what it says or what administrators enter), each with the object as `data`, and `reset`. After `reset` read again ' +
  'what you show: you missed too much. A status is sent when it shows something else than the times and numbers of the last analyses. ' +
  'Each event has an `id`. Send the last one as `Last-Event-ID`, as browsers do by themselves, to get what you missed in the last five ' +
  'minutes from any process of the installation; some events may come twice. A comment comes every 15 seconds. You hear what you may ' +
  'read at that moment. The stream ends when the session ends or expires (listening does not extend it), when the password changes, and ' +
  'when the account is blocked. An account may have 50 streams, an address 200, at each process. The console may send the cookie of its ' +
  'session instead of `Authorization`.'

/** `GET /event_stream` */
export function eventStreamOf(feed: EventFeed): Operation {
  return {
    id: 'event_stream.listen',
    method: 'GET',
    path: '/event_stream',
    tag: 'events',
    summary: 'Listen to what happens',
    about,
    access: 'customer',
    isStream: true,
    parameters: [
      {
        name: 'group_id',
        in: 'query',
        about: 'Only events of services in these groups, each in a parameter of its own.',
        schema: { type: 'array', items: { type: 'integer', format: 'int64', minimum: 0, maximum: maximumInteger } },
        example: [1],
      },
      {
        name: 'tags',
        in: 'query',
        about: 'Only events of services with one of these tags, each in a parameter of its own.',
        schema: { type: 'array', items: { type: 'string', maxLength: longestTag }, maxItems: mostValues },
        example: ['web'],
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        about: 'The `id` of the last event that was received.',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: {
        about: 'Events as they happen.',
        contentType: 'text/event-stream',
        schema: {
          type: 'string',
          example: 'event: service_status\ndata: {"id":1,"summary":"failure"}\nid: q1w2e3\n\n',
        },
      },
    },
    async handle(call) {
      const filter = filterOf(call)
      const holder = await holderOf(call.database, call.caller, call.ipAddress)
      if (holder === null) refuse('incorrect_credentials')
      const { language, lastEventId: resumesAt } = call
      const stream = feed.open(call, { holder, filter, language, resumesAt })
      return { status: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' }, stream }
    },
  }
}
