import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { NoticeFacts } from '../../src/domain/notice.ts'
import type { Change, Life } from './model/life.ts'
import type { Notice } from './model/telling.ts'

/** What the program made of the story: each service's life as it is stored. */
export async function livesOf(database: Database): Promise<ReadonlyMap<number, Life>> {
  const changes = await database.query<Change & { id: number }>(sql`
    select service_id as id, status, pause_reason as reason, start_time as start, end_time as end
    from status_changes order by service_id, change_id`)
  const intents = await database.query<{ id: number; facts: NoticeFacts }>(sql`
    select service_id as id, facts from notification_intents order by service_id, (facts->>'decidedAt')::float8, id`)
  const lives = new Map<number, { changes: Change[]; notices: Notice[] }>()
  const lifeOf = (id: number) => {
    const life = lives.get(id) ?? { changes: [], notices: [] }
    lives.set(id, life)
    return life
  }
  for (const { id, ...change } of changes) lifeOf(id).changes.push(change)
  for (const { id, facts } of intents) lifeOf(id).notices.push(noticeOf(facts))
  return lives
}

function noticeOf({ condition, decidedAt, sinceAt, failures }: NoticeFacts): Notice {
  const notice = { condition, at: decidedAt, since: sinceAt }
  return failures === undefined ? notice : { ...notice, failures: failures.map(({ startedAt }) => startedAt) }
}
