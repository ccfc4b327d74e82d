import type { Config } from '../../config/config.ts'
import { anchoredHeads, findLostHead } from '../../database/accounts/audit-heads.ts'
import { countAudit, findBrokenAudit, isAuditProtected } from '../../database/accounts/audit-log.ts'
import type { Executor } from '../../database/connect.ts'
import { type Finding, finding } from './finding.ts'

const subject = 'Audit log'

/** Whether each record is as it was written, and the last ones of all chains are there. */
export async function auditFinding(
  { auditRetentionDays: retentionDays }: Pick<Config, 'auditRetentionDays'>,
  database: Executor,
): Promise<Finding> {
  const broken = await findBrokenAudit(database)
  if (broken !== null) {
    const { owner_id: owner, position, id } = broken
    const which = `record ${position} of account ${owner}${id === null ? '' : ` (id ${id})`}`
    return finding(subject, 'fault', `${which} was changed or removed after it was written`)
  }
  const anchored = await anchoredHeads(database)
  const lost = await findLostHead(database, anchored, { now: Date.now(), retentionDays })
  if (lost !== null) {
    const { owner_id: owner, position, time } = lost
    return finding(subject, 'fault', `record ${position} of account ${owner} of ${time} is gone, with its chain`)
  }
  if (!(await isAuditProtected(database)))
    return finding(subject, 'fault', 'the database does not refuse changes of it: a trigger is off or gone')
  const of = anchored.length === 1 ? '1 account' : `${anchored.length} accounts`
  const heads = `the last records of ${of} are there`
  return finding(subject, 'ok', `${await countAudit(database)} records, each as it was written; ${heads}`)
}
