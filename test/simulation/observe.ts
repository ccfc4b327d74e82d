import sql from 'sql-template-tag'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import type { Change, FullNotice, Life } from './model/life.ts'
import type { Status } from './model/status.ts'
import type { Stage } from './stage.ts'

interface SeenLife {
  changes: Change[]
  notices: FullNotice[]
  status: Status | null
}

/** The program's result of the story: each service's stored life, and its displayed status. */
export async function livesOf(stage: Stage): Promise<ReadonlyMap<number, Life>> {
  const { database } = stage
  const changes = await database.query<Change & { id: number }>(sql`
    select service_id as id, status, pause_reason as reason, start_time as start, end_time as end
    from status_changes order by service_id, change_id`)
  const intents = await database.query<{ id: number; facts: NoticeFacts }>(sql`
    select service_id as id, facts from notification_intents order by service_id, (facts->>'decidedAt')::float8, id`)
  const lives = new Map<number, SeenLife>()
  const lifeOf = (id: number) => {
    const life = lives.get(id) ?? { changes: [], notices: [], status: null }
    lives.set(id, life)
    return life
  }
  for (const { id, ...change } of changes) lifeOf(id).changes.push(change)
  for (const { id, facts } of intents) lifeOf(id).notices.push(noticeOf(facts))
  for (const { id, ...status } of await statusesOf(stage)) lifeOf(id).status = status
  return lives
}

function noticeOf({ condition, decidedAt, sinceAt, previous, durationSeconds, failures }: NoticeFacts): FullNotice {
  const notice = {
    ...{ condition, at: decidedAt, since: sinceAt, durationSeconds },
    previous: previous === null ? null : { status: previous.status, start: previous.startedAt },
  }
  return failures === undefined ? notice : { ...notice, failures: failures.map(({ startedAt }) => startedAt) }
}

const shown = 'id,check_status,check_status_is_up_to_date,monitoring_status,notifications_status,summary'

async function statusesOf(stage: Stage): Promise<(Status & { readonly id: number })[]> {
  const lists = await Promise.all(
    stage.ground.owners.map((owner) =>
      stage.call(
        owner,
        'GET',
        `/service_statuses?limit=1000&service.owner_id=${stage.api.people.ids[owner]}&fields=${shown}`,
      ),
    ),
  )
  return lists.flatMap(({ body }) => body as (Status & { id: number })[])
}
