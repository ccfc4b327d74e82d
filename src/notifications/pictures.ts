import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import type { Picture } from '../channels/wording.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Database } from '../database/connect.ts'
import { artifactLimits } from '../domain/judging/evidence.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { checksView } from '../history/analyses.ts'
import type { NotifierLog } from './notifier-log.ts'

/** Milliseconds: a notice without its picture is better than a late one. */
const patience = 3000

interface KeptPicture {
  readonly sensor_id: number
  readonly key: string
  readonly size: number
  readonly content_type: string
}

/**
 * Reads the screenshot of the first failed check that has one, from the analysis that decided a notice. Null if none is
 * kept, if it is larger than evidence may be, or if the store takes longer than three seconds.
 */
export function pictureReader(database: Database, artifacts: ArtifactStore, log: NotifierLog) {
  return async (facts: NoticeFacts): Promise<Picture | null> => {
    const hasOne = facts.checks.some(({ artifact_ids: kinds }) => kinds?.includes('screenshot') === true)
    if (facts.analysis_id === null || !hasOne) return null
    const late = AbortSignal.timeout(patience)
    const given = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error('the store took too long')))
    })
    // The race below is told; later it no longer matters.
    given.catch(() => undefined)
    try {
      return await Promise.race([read(database, artifacts, facts, late), given])
    } catch (error) {
      log.warn({ err: error, service_id: facts.service.id }, 'a message is sent without its screenshot')
      return null
    }
  }
}

async function read(
  database: Database,
  artifacts: ArtifactStore,
  facts: NoticeFacts,
  late: AbortSignal,
): Promise<Picture | null> {
  const kept = await keptPicture(database, facts)
  if (kept === null || kept.size > artifactLimits.screenshot || !/^image\/[a-z]{2,5}$/.test(kept.content_type))
    return null
  const source = await artifacts.open(kept.key, { start: 0, end: kept.size })
  if (source === null) return null
  late.addEventListener('abort', () => source.destroy())
  return { contentType: kept.content_type, content: await buffer(source), sensorId: kept.sensor_id }
}

async function keptPicture(database: Database, facts: NoticeFacts): Promise<KeptPicture | null> {
  const [found] = await database.query<KeptPicture>(sql`
    select c.sensor_id, artifact.key, artifact.size, artifact.content_type
    from (${checksView({ onlyFailed: true })}) c
    cross join lateral jsonb_to_recordset(c.details->'artifacts') as artifact (id text, key text, size int, content_type text)
    where c.service_id = ${facts.service.id} and c.analysis_key = ${Number(facts.analysis_id)}::bigint
      and artifact.id = 'screenshot'
    order by c.sensor_id limit 1`)
  return found ?? null
}
