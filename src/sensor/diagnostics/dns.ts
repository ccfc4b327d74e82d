import { ask, askedName } from '../../checks/dns/check.ts'
import type { DiagnosticRequest } from '../../domain/services/diagnostic.ts'
import { asAskedType, type DnsQuestion, type DnsReply, rcodeOf } from '../../outgoing/dns-client.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import { askOnce } from '../../outgoing/resolver.ts'
import type { Screen } from '../../outgoing/screen.ts'
import type { Attempt } from '../attempt.ts'
import { describeRecords } from '../dns-records.ts'
import type { Equipment } from '../equipment.ts'
import { asksPrivately } from '../private-names.ts'

type DnsRequest = Extract<DiagnosticRequest, { kind: 'dns' }>

const tryMs = 3000

/** Queries one name server and writes down its whole answer; any reply is a success. */
export async function queryDns(
  request: DnsRequest,
  attempt: Attempt,
  equipment: Equipment,
  write: (line: string) => void,
): Promise<void> {
  const type = asAskedType(request.query_type)
  if (type === null) throw new Failure('setting_invalid', `records of type ${request.query_type} cannot be asked for`)
  const question = { name: askedName(request.host), type, recursionDesired: true, edns: true }
  const { server } = request
  const { reply, from } =
    server === null
      ? await askOwnServers(question, equipment, attempt)
      : await askServer({ ...request, server }, question, attempt, equipment)
  write(`${question.name} ${type}, asked ${from}`)
  describe(reply, attempt, write)
}

interface Answered {
  readonly reply: DnsReply
  readonly from: string
}

async function askServer(
  { server, port }: DnsRequest & { readonly server: string },
  question: DnsQuestion,
  attempt: Attempt,
  equipment: Equipment,
): Promise<Answered> {
  const addresses = await equipment.dialler.resolve(attempt, parseHost(server), 'any')
  const reply = await ask({ attempt, equipment, addresses, port }, question, false)
  return { reply, from: `${addresses[0].ip} port ${port}` }
}

/**
 * Queries the machine's own name servers until one answers. Their knowledge of the operator's network is shown only if
 * everything may be checked.
 */
async function askOwnServers(question: DnsQuestion, equipment: Equipment, attempt: Attempt): Promise<Answered> {
  if (equipment.isShared && asksPrivately(question.name, equipment.screen)) throw withheld(question)
  for (const server of equipment.nameServers()) {
    const reply = await askOnce(server, question, Math.min(tryMs, Math.max(1, attempt.remainingMs)))
    if (reply instanceof Error) continue
    if (equipment.isShared && tellsPrivately(reply, equipment.screen)) throw withheld(question)
    return { reply, from: 'the name server of the sensor' }
  }
  throw new Failure('sensor_without_resolver', 'no name server of the sensor answers')
}

/** True if any part of the reply has a forbidden address, or a name that only the operator's network knows. */
function tellsPrivately({ packet }: DnsReply, mayBeShown: Screen): boolean {
  const records = [...(packet.answers ?? []), ...(packet.authorities ?? []), ...(packet.additionals ?? [])]
  return records.some((record) => {
    if (record.type === 'A' || record.type === 'AAAA') return !mayBeShown(record.data)
    const isAlias = record.type === 'CNAME' || record.type === 'PTR' || record.type === 'NS'
    return isAlias && asksPrivately(record.data, mayBeShown)
  })
}

/** The same answer whether the name exists or not. */
function withheld({ name }: DnsQuestion): Failure {
  return new Failure('address_refused', `what the name server of the sensor knows of ${name} may not be shown`)
}

function describe({ packet, bytes, transport }: DnsReply, attempt: Attempt, write: (line: string) => void): void {
  const yesNo = (is: boolean | undefined) => (is ? 'yes' : 'no')
  write(`${rcodeOf(packet)} in ${Math.round(attempt.elapsedMs)} ms, ${bytes} bytes over ${transport}`)
  write(`authoritative: ${yesNo(packet.flag_aa)}, recursion available: ${yesNo(packet.flag_ra)}`)
  const sections = { answer: packet.answers, authority: packet.authorities, additional: packet.additionals }
  for (const [name, records] of Object.entries(sections)) {
    for (const line of describeRecords(records ?? [], 'line').split('\n')) if (line !== '') write(`${name}: ${line}`)
  }
}
