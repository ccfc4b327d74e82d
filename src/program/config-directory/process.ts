/**
 * The child process that applies a watched directory, because reading large files and computing fingerprints of secrets
 * would block its parent's requests. Its parent sends the task, answers its requests to the API, and hears the report.
 */
import { constants, setPriority } from 'node:os'
import type { Api, ApiReply } from '../../configuration/api.ts'
import { ApiRefuses } from '../../configuration/api.ts'
import { applyDirectory } from '../../configuration/directory/apply-directory.ts'
import { modelOf } from '../../configuration/model.ts'
import { declaredResources } from '../interface-description.ts'
import type { ToChild, ToParent } from './messages.ts'

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const waiting = new Map<number, { resolve: (reply: ApiReply) => void; reject: (error: Error) => void }>()
let requests = 0

function tell(message: ToParent, told = () => {}): void {
  process.send?.(message, told)
}

function apiAt(origin: string): Api {
  return {
    origin,
    send: (request) =>
      new Promise((resolve, reject) => {
        requests += 1
        waiting.set(requests, { resolve, reject })
        tell({ kind: 'request', id: requests, request })
      }),
  }
}

process.on('message', (message: ToChild) => {
  if (message.kind === 'task') {
    const ways = { model: modelOf(declaredResources()), api: apiAt(message.origin) }
    void applyDirectory(message.task, ways).then((report) =>
      tell({ kind: 'report', report }, () => process.disconnect()),
    )
    return
  }
  const asked = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'reply') asked?.resolve(message.reply)
  else asked?.reject(new ApiRefuses(message.reason))
})
// A parent that died applies nothing any more.
process.once('disconnect', () => process.exit(0))
tell({ kind: 'ready' })
