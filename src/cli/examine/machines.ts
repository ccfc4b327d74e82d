import type { Database } from '../../database/connect.ts'
import { machinesOfHistory } from '../../database/machines.ts'
import { askServer, reasonOf, type ServerAnswer } from '../../database/server-role.ts'
import { addressAt, serversOf } from '../../database/servers.ts'
import { isDistributed } from '../../database/shards.ts'
import { type Finding, finding } from './finding.ts'

const consequence = 'the history of its services cannot be read, and new analyses wait for it; checks and notices go on'

function findingOf(answer: ServerAnswer): Finding {
  const { server, fault } = answer
  const subject = `Machine ${server.name} of the cluster`
  if (fault === null) return finding(subject, 'ok', 'holds a part of the history, and answers')
  return finding(subject, 'fault', `${reasonOf(answer).replace(`${server.name}: `, '')}: ${consequence}`)
}

/** Whether the machines that hold the history answer with the login of the coordinator; nothing without a cluster. */
export async function machineFindings(database: Database, url: string): Promise<readonly Finding[]> {
  if (!(await isDistributed(database))) return []
  const machines = await machinesOfHistory(database)
  const servers = machines.flatMap((machine) => serversOf(addressAt(url, machine)).all)
  return (await Promise.all(servers.map(askServer))).map(findingOf)
}
