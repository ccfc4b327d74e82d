import { domainToASCII } from 'node:url'
import type { DecodedPacket } from 'dns-packet'
import type { ErrorTypeSymbol } from '../../domain/judging/error-types.ts'
import { errorText } from '../../domain/text/error-text.ts'
import type { AddressFamily, CheckedAddress } from '../../outgoing/dial.ts'
import {
  asAskedType,
  askOverUdp,
  type DnsQuestion,
  type DnsReply,
  rcodeOf,
  type UdpQuery,
} from '../../outgoing/dns-client.ts'
import { askOverSocket } from '../../outgoing/dns-tcp.ts'
import { errorCode, Failure, ownFault } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import { describeRecords } from '../../sensor/dns-records.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { matches, multiline } from '../../sensor/pattern.ts'
import type { CheckJob, Settings } from '../../sensor/protocol.ts'
import { readBoolean, readInteger, readOptionalText, readText } from '../../sensor/settings.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

export interface Asking {
  readonly attempt: Attempt
  readonly equipment: Equipment
  readonly addresses: readonly [CheckedAddress, ...CheckedAddress[]]
  readonly port: number
}

/** Up when the server answers the question as expected. */
export function checkDns(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const question = readQuestion(settings)
    const addresses = await equipment.dialler.resolve(attempt, parseHost(job.address), family)
    const asking = { attempt, equipment, addresses, port: readInteger(settings, 'port') }
    const reply = await ask(asking, question, readText(settings, 'transport') === 'tcp')
    attempt.stop()
    attempt.dataSize = reply.bytes
    attempt.explain = () => explainReply(attempt, reply)
    await judgeReply(reply.packet, question, job)
  })
}

function readQuestion(settings: Settings): DnsQuestion {
  const name = readText(settings, 'query_name')
  const wanted = readText(settings, 'query_type').toUpperCase()
  const type = asAskedType(wanted)
  if (type === null) throw new Failure('setting_invalid', `setting query_type ${JSON.stringify(wanted)} is not known`)
  return {
    name: askedName(name),
    type,
    recursionDesired: readBoolean(settings, 'recursion_desired'),
    edns: true,
  }
}

/** International names are asked for in their ASCII form; others stay as written (underscores, capitals). */
export function askedName(name: string): string {
  return /^[\x21-\x7e]*$/.test(name) ? name : domainToASCII(name)
}

/** A cut reply is asked for again over TCP; a server that stumbles over EDNS is asked without it. */
export async function ask(asking: Asking, question: DnsQuestion, isTcp: boolean): Promise<DnsReply> {
  const reply = isTcp ? await askTcp(asking, question) : await askUdp(asking, question)
  if (reply.packet.flag_tc && reply.transport === 'udp') return await askTcp(asking, question)
  if (question.edns && rcodeOf(reply.packet) === 'FORMERR')
    return await ask(asking, { ...question, edns: false }, isTcp)
  return reply
}

function askUdp({ attempt, addresses, port }: Asking, question: DnsQuestion): Promise<DnsReply> {
  const [address] = addresses
  attempt.evidence.ip_address = address.ip
  let query: UdpQuery | null = null
  attempt.enter('first_byte', () => silenceOf(query))
  return attempt.wait<DnsReply>((resolve, reject) => {
    // One packet may get lost on the way without the server being down.
    const again = setTimeout(() => query?.resend(), attempt.remainingMs / 2)
    try {
      query = askOverUdp({ ip: address.ip, port }, question, (error, reply) => {
        clearTimeout(again)
        if (reply !== null) resolve(reply)
        else reject(query?.rejected() ? new Failure(silenceOf(query), errorText(error)) : transportFailure(error))
      })
    } catch (error) {
      clearTimeout(again)
      reject(new Failure('setting_invalid', `setting query_name: ${errorText(error)}`))
    }
    return () => {
      clearTimeout(again)
      query?.close()
    }
  })
}

function silenceOf(query: UdpQuery | null): ErrorTypeSymbol {
  const rejected = query?.rejected() ?? null
  if (rejected === null) return 'dns_timeout'
  return rejected === 'mismatch' ? 'dns_mismatch' : 'dns_malformed'
}

async function askTcp({ attempt, equipment, addresses, port }: Asking, question: DnsQuestion): Promise<DnsReply> {
  const socket = await equipment.dialler.connect(attempt, addresses, port)
  attempt.enter('first_byte', 'dns_timeout')
  return await attempt.wait<DnsReply>((resolve, reject) => {
    socket.on('error', (error) => reject(transportFailure(error)))
    askOverSocket(socket, question, (reply) => {
      socket.destroy()
      if (!(reply instanceof Error)) resolve(reply)
      else reject(tcpFailure(reply))
    })
    return () => socket.destroy()
  })
}

function tcpFailure(error: Error): Failure {
  if (error.message === 'mismatch') return new Failure('dns_mismatch', 'the reply is to another question')
  if (error.message === 'malformed') return new Failure('dns_malformed', 'the reply cannot be read')
  return new Failure('dns_closed', error.message)
}

function transportFailure(error: unknown): Failure {
  const own = ownFault(error)
  if (own !== null) return own
  const code = errorCode(error)
  if (code === 'ECONNREFUSED') return new Failure('dns_port_closed', errorText(error))
  if (code === 'EHOSTUNREACH') return new Failure('host_unreachable', errorText(error))
  return new Failure('dns_closed', errorText(error))
}

const rcodeSymbols: Readonly<Record<string, ErrorTypeSymbol>> = {
  NXDOMAIN: 'dns_name_not_found',
  SERVFAIL: 'dns_server_failure',
  REFUSED: 'dns_refused',
}

async function judgeReply(packet: DecodedPacket, question: DnsQuestion, job: CheckJob): Promise<void> {
  const { settings } = job
  const expected = readText(settings, 'expected_rcode').toUpperCase()
  const rcode = rcodeOf(packet)
  if (rcode !== expected) {
    throw new Failure(rcodeSymbols[rcode] ?? 'dns_unexpected_rcode', `answered ${rcode}, expected ${expected}`)
  }
  const answers = packet.answers ?? []
  if (expected === 'NOERROR' && answers.length === 0) {
    throw new Failure('dns_no_answer', `no ${question.type} record for ${question.name}`)
  }
  const pattern = readOptionalText(settings, 'expected_answer_regex')
  if (pattern === null) return
  const text = answers.map((answer) => describeRecords([answer], 'data')).join('\n')
  if (!(await matches({ setting: 'expected_answer_regex', pattern, flags: multiline }, text, job))) {
    throw new Failure(
      'dns_unexpected_answer',
      `no answer matches ${JSON.stringify(pattern)}: ${text.replaceAll('\n', ', ')}`,
    )
  }
}

function explainReply({ facts }: Attempt, { packet, transport }: DnsReply): void {
  facts['dns_rcode'] = rcodeOf(packet)
  facts['dns_authoritative'] = packet.flag_aa
  facts['dns_recursion_available'] = packet.flag_ra
  facts['dns_transport'] = transport
  facts['dns_answers'] = describeRecords(packet.answers ?? [], 'line')
  facts['dns_authorities'] = describeRecords(packet.authorities ?? [], 'line')
}
