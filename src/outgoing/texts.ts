import { rcodeOf } from './dns-client.ts'
import { Failure } from './failure.ts'
import { askOnce } from './resolver.ts'
import { type ResolverFiles, readResolverFiles, systemFiles } from './resolver-files.ts'

const longestTryMs = 2000

/**
 * The texts of a name's TXT records, from the machine's name servers; none if the name or the record does not exist.
 * Rejects with a Failure if no server says so.
 */
export function createTextResolver({ files = systemFiles, port = 53 }: { files?: ResolverFiles; port?: number } = {}) {
  const { configuration } = readResolverFiles(files, port)
  return async (name: string, timeoutMs: number): Promise<readonly string[]> => {
    const question = { name, type: 'TXT', recursionDesired: true, edns: true } as const
    const endsAt = performance.now() + timeoutMs
    let last = 'no name server is configured'
    for (const server of configuration().servers) {
      const left = endsAt - performance.now()
      if (left <= 0) break
      const reply = await askOnce(server, question, Math.min(longestTryMs, left))
      if (reply instanceof Error) {
        last = reply.message
        continue
      }
      const rcode = rcodeOf(reply.packet)
      if (rcode === 'NXDOMAIN') return []
      if (rcode === 'NOERROR') {
        return (reply.packet.answers ?? []).flatMap((answer) => (answer.type === 'TXT' ? [textOf(answer.data)] : []))
      }
      last = rcode
    }
    throw new Failure('name_server_failure', `${name}: ${last}`)
  }
}

/** A text may come in several parts. */
function textOf(data: string | Buffer | readonly (string | Buffer)[]): string {
  const parts = Array.isArray(data) ? data : [data]
  return parts.map(String).join('')
}
