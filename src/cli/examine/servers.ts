import { askServer, reasonOf, type ServerAnswer, type ServerRole } from '../../database/server-role.ts'
import { serversOf } from '../../database/servers.ts'
import { type Finding, finding } from './finding.ts'

const megabyte = 2 ** 20
/** Bytes. A standby that is further behind would lose much, or no longer follows. */
const mostBehind = 64 * megabyte

type Known = ServerAnswer & { readonly role: ServerRole }

function bytesText(bytes: number): string {
  return bytes < megabyte ? `${bytes} bytes` : `${(bytes / megabyte).toFixed(1)} MB`
}

/** The age of the last transaction is named only while the standby is behind: without writes an old one is right. */
function standbyFinding(subject: string, { position, age }: ServerRole, primary: ServerRole | undefined): Finding {
  if (primary === undefined) return finding(subject, 'note', 'standby')
  const behind = Math.max(0, primary.position - position)
  const seconds = behind === 0 || age === null ? '' : ` (its last transaction is ${age.toFixed(1)} s old)`
  const state = behind > mostBehind ? 'missing' : 'ok'
  return finding(subject, state, `standby, ${bytesText(behind)} behind the primary${seconds}`)
}

/** Which of several servers is the primary, which are standbys, and how far those are behind. */
export function judgeServers(answers: readonly ServerAnswer[]): readonly Finding[] {
  const primaries = answers
    .filter((answer): answer is Known => answer.fault === null && answer.role !== null)
    .toSorted((a, b) => b.role.timeline - a.role.timeline)
  const [primary] = primaries
  return answers.map((answer) => {
    const subject = `Database server ${answer.server.name}`
    const { role, fault } = answer
    if (role === null) {
      return finding(
        subject,
        'missing',
        `${reasonOf(answer).replace(`${answer.server.name}: `, '')}: it cannot take over`,
      )
    }
    if (role.standby) return standbyFinding(subject, role, primary?.role)
    if (fault !== null)
      return finding(subject, 'fault', 'no standby, and accepts no writes (default_transaction_read_only)')
    if (answer === primary) return finding(subject, 'ok', `primary, timeline ${role.timeline}`)
    const newer = `${primary?.server.name} is the primary of timeline ${primary?.role.timeline}`
    return finding(subject, 'fault', `accepts writes too, on timeline ${role.timeline}: stop it, because ${newer}`)
  })
}

export async function serverFindings(databaseUrl: string): Promise<readonly Finding[]> {
  const { all } = serversOf(databaseUrl)
  // One server has its findings already.
  if (all.length === 1) return []
  return judgeServers(await Promise.all(all.map(askServer)))
}
