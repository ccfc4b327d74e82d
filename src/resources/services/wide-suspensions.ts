import sql, { raw } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lockTagsNamed } from '../../database/services/tags.ts'
import { mayWrite, serviceTimePermissions, serviceVisible } from '../../domain/access/permissions.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import { type WeekMinute, weeklyRangeProblems } from '../../domain/calendars/suspension.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { fold, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import type { Configuration } from '../../rest/configuration.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { type Coverage, coverageChanged, hearCovered, lockCoverage } from '../../service-state/coverage.ts'
import { type GroupFacts, ownerProblems, targetGroup, targetGroupProblems } from '../groups/target-group.ts'
import { ownerFacts, ownerProblem } from '../on-call/references.ts'
import { onlyNotifications, partFields, touchedTimes } from './service-part.ts'
import { weekMinute } from './weekly-suspensions.ts'

/** Suspensions of a group, a tag or a whole account, which follow the services that come and go there. */

interface Facts {
  readonly ownerId: number
  readonly problems: readonly Problem[]
  readonly tagId: number | null
}

type Name = 'wide_suspensions' | 'wide_weekly_suspensions'

function coverageOf(row: Row): Coverage {
  const { owner_id: ownerId, group_id: groupId, tag_id: tagId } = row
  return { ownerId: Number(ownerId), groupId: asNumber(groupId), tagId: asNumber(tagId) }
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The account whose services are covered: the owner of the group, or an account of the caller's. */
async function ownerOf(transaction: Executor, call: Call, given: Row): Promise<Omit<Facts, 'tagId'>> {
  if (typeof given['group_id'] !== 'number') {
    const facts = ownerFacts(call, given, null)
    return { ownerId: facts.ownerId, problems: ownerProblem(facts) }
  }
  const group: GroupFacts | null = await targetGroup(transaction, call, { given, before: null }, 'can_modify_services')
  const problems = [...targetGroupProblems(group, null), ...ownerProblems(group, given, null)]
  return { ownerId: group?.owner_id ?? call.caller.primary_account_id, problems }
}

/** Group and tag stay until the transaction ends. They are locked before the coverage, as in all other writes. */
async function factsOfNew(transaction: Executor, call: Call, given: Row): Promise<Facts> {
  const { ownerId, problems } = await ownerOf(transaction, call, given)
  const name = given['tag']
  const wanted = typeof name === 'string' && problems.length === 0 ? name : null
  const known = wanted === null ? null : await lockTagsNamed(transaction, ownerId, [wanted])
  const tagId = known?.get(fold(wanted ?? '')) ?? null
  const isMissing = wanted !== null && tagId === null
  const missing: Problem = { error: 'incorrect_value', field: 'data.tag', facts: { detail: 'object_of_owner' } }
  await lockCoverage(transaction, ownerId)
  return { ownerId, tagId, problems: isMissing ? [...problems, missing] : problems }
}

function writing(
  name: Name,
  defaults: (call: Call) => Row,
  rules: (row: Row) => readonly Problem[],
): Writing<Row, Facts> {
  const isWeekly = name === 'wide_weekly_suspensions'
  return {
    countLimit: { count: isWeekly ? countLimits.wideWeeklySuspensions : countLimits.wideSuspensions, per: 'owner_id' },
    lockedBy: { field: 'owner_id', lock: lockCoverage },
    allowed: ({ caller }) => mayWrite(caller),
    async facts(transaction, call, given, before) {
      const known =
        before === null
          ? await factsOfNew(transaction, call, given)
          : { ...{ ownerId: Number(before['owner_id']), problems: [] }, tagId: coverageOf(before).tagId }
      const coverage = coverageOf(before ?? { ...given, owner_id: known.ownerId, tag_id: known.tagId })
      if (known.problems.length === 0) await hearCovered(transaction, coverage, call.nowAt)
      return known
    },
    complete: (given, before, { ownerId, tagId }, call) => ({
      row:
        before === null
          ? {
              group_id: null,
              only_notifications: false,
              description: '',
              ...defaults(call),
              ...given,
              owner_id: ownerId,
              tag_id: tagId,
            }
          : given,
      problems: [],
    }),
    rules: (row, { problems }) => [...problems, ...rules(row)],
    async created(transaction, call, row, { tagId }) {
      if (tagId !== null)
        await transaction.execute(sql`update ${raw(name)} set tag_id = ${tagId} where id = ${row['id']}`)
      await speaksAnew(transaction, call, row)
    },
    changed: speaksAnew,
    async removing(transaction, { nowAt }, row) {
      await hearCovered(transaction, coverageOf(row), nowAt)
      return []
    },
    removed: speaksAnew,
  }
}

async function speaksAnew(transaction: Executor, { nowAt }: Call, row: Row): Promise<void> {
  await coverageChanged(transaction, coverageOf(row), nowAt)
}

const time = { filter: true, sort: true } as const

const covered = {
  owner_id: integer({
    about: "Whose services it covers: the group's owner. Without a group: the main account by default.",
    immutable: true,
    filter: true,
  }),
  group_id: integer({
    about: 'The group whose services it covers. Null: those of all groups.',
    immutable: true,
    nullable: true,
    filter: true,
    example: null,
  }),
  tag: text({
    about: "The name of the owner's tag that the services have. Null: with and without tags.",
    immutable: true,
    nullable: true,
    filter: true,
    elsewhere: true,
    minimumLength: 1,
    maximumLength: 50,
    example: null,
    column: ({ alias }) => sql`(select name from tags where id = ${alias}.tag_id)`,
  }),
  only_notifications: onlyNotifications,
  description: partFields.description,
  tag_id: integer({ internal: true }),
}

/** They go with the group or the tag that they name. */
const configured: Configuration = {
  references: { group_id: { to: 'groups' }, tag: { to: 'tags', by: 'name', isOpen: true } },
  heldBy: ['group_id', 'tag'],
  goesAlong: true,
  title: 'description',
}

const common = {
  relations: { group: one('groups', 'group_id'), owner: one('accounts', 'owner_id') },
  embed: ['group', 'owner', 'permissions'],
  search: ['id', 'description'],
  visible: serviceVisible,
  permissions: serviceTimePermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: configured,
} as const

const making =
  'It covers the services that are in the group and have the tag, or all of the account; also those that come there later, and those that leave only until they do. `suspensions/bulk_create` suspends the services of one moment.'

export const wideSuspensions: Resource = resource('wide_suspensions', {
  ...common,
  about: 'One-off stops of monitoring, or quiet hours, of a group, a tag or a whole account.',
  singular: 'wide suspension',
  making,
  source: table('wide_suspensions'),
  range: touchedTimes,
  fields: {
    id: identifier(),
    ...covered,
    start_time: moment({ ...time, about: 'Inclusive; default now.', typical: true, example: '2030-12-24T08:00:00Z' }),
    end_time: moment({ ...time, required: true, about: 'Exclusive.', example: '2030-12-24T10:00:00Z' }),
  },
  write: writing(
    'wide_suspensions',
    ({ nowAt }) => ({ start_time: Math.floor(nowAt / 1000) * 1000 }),
    ({ start_time: start, end_time: end }) =>
      periodProblems(start as number | undefined, end as number | undefined, 'data.end_time'),
  ),
})

export const wideWeeklySuspensions: Resource = resource('wide_weekly_suspensions', {
  ...common,
  about:
    'Stops of monitoring that come back every week, or quiet hours, of a group, a tag or a whole account, in the zone of the owner.',
  singular: 'wide weekly suspension',
  making,
  source: table('wide_weekly_suspensions'),
  fields: {
    id: identifier(),
    ...covered,
    start_minute: weekMinute('start_minute', 'Inclusive.', { day_of_week: 7, hour: 22, minute: 30 }),
    end_minute: weekMinute('end_minute', 'Exclusive; before the start: in the next week.', {
      ...{ day_of_week: 1, hour: 6, minute: 0 },
    }),
    start_minute_of_week: integer({ internal: true, storedIn: 'start_minute' }),
    end_minute_of_week: integer({ internal: true, storedIn: 'end_minute' }),
  },
  write: writing(
    'wide_weekly_suspensions',
    () => ({}),
    ({ start_minute: start, end_minute: end }) => weeklyRangeProblems(start as WeekMinute, end as WeekMinute),
  ),
})
