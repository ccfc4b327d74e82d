import { randomInt } from 'node:crypto'
import { askOnce } from '../../outgoing/datagram.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt, observe } from '../../sensor/attempt.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { expectValue } from '../../sensor/compared-value.ts'
import { secretsOfJob } from '../../sensor/conversation.ts'
import { hideSecretsOfOutcome } from '../../sensor/hide-secrets.ts'
import { readInteger, readOptionalText, readText } from '../../sensor/settings.ts'
import { type Element, element, elementsIn, integerElement, numberOf, oidElement, oidOf } from './ber.ts'

const tags = { octets: 4, oid: 6, sequence: 0x30, get: 0xa0, response: 0xa2, address: 0x40 } as const
/** Integer, Counter32, Gauge32, TimeTicks, Counter64. */
const numbers: readonly number[] = [0x02, 0x41, 0x42, 0x43, 0x46]
/** noSuchObject, noSuchInstance, endOfMibView (RFC 3416). */
const absent: readonly number[] = [0x80, 0x81, 0x82]
/** SNMPv2c (RFC 1901). */
const version = 1

/** Up when the device gives an object, with a value as expected where one is. */
export const checkSnmp: CheckFunction = async (job, equipment, family, stallMeter) => {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  const outcome = await observe(attempt, async () => {
    const { host, port } = parseHostAndPort(job.address, readInteger(settings, 'port'))
    const [address] = await equipment.dialler.resolve(attempt, host, family)
    attempt.evidence.ip_address = address.ip
    const oid = oidElement(readText(settings, 'oid'))
    if (oid === undefined) throw new Failure('setting_invalid', 'setting oid has too large a number')
    const requestId = randomInt(1, 2 ** 31 - 1)
    const question = getRequest(readOptionalText(settings, 'community') ?? 'public', requestId, oid)
    attempt.enter('first_byte', 'udp_no_answer')
    const answer = await askOnce(attempt, { address, port }, question)
    attempt.stop()
    attempt.dataSize = answer.length
    expectValue(givenValue(answer, requestId), settings)
  })
  return hideSecretsOfOutcome(outcome, secretsOfJob(job))
}

function getRequest(community: string, requestId: number, oid: Buffer): Buffer {
  const binding = element(tags.sequence, element(tags.sequence, oid, element(5)))
  const request = element(tags.get, integerElement(requestId), integerElement(0), integerElement(0), binding)
  return element(tags.sequence, integerElement(version), element(tags.octets, Buffer.from(community)), request)
}

/** The value of the requested object. Rejects with `value_missing`, `query_refused` or `protocol_not_spoken`. */
function givenValue(answer: Buffer, requestId: number): string {
  const [, , response] = inner(elementsIn(answer)[0], tags.sequence)
  const [id, status, , bindings] = inner(response, tags.response)
  if (id === undefined || numberOf(id) !== String(requestId)) throw notSnmp()
  const error = status === undefined ? '0' : numberOf(status)
  // noSuchName of agents that speak version 1 behind a proxy.
  if (error === '2') throw new Failure('value_missing', 'the device has no such object')
  if (error !== '0') throw new Failure('query_refused', `error status ${error}`)
  const [, value] = inner(inner(bindings, tags.sequence)[0], tags.sequence)
  if (value === undefined) throw notSnmp()
  if (absent.includes(value.tag)) throw new Failure('value_missing', 'the device has no such object')
  return textOf(value)
}

function textOf(value: Element): string {
  if (numbers.includes(value.tag)) return numberOf(value)
  if (value.tag === tags.oid) return oidOf(value)
  return value.tag === tags.address ? [...value.body].join('.') : value.body.toString('utf8')
}

function inner(outer: Element | undefined, tag: number): readonly Element[] {
  if (outer?.tag === tag) return elementsIn(outer.body)
  throw notSnmp()
}

function notSnmp(): Failure {
  return new Failure('protocol_not_spoken', 'the answer is not SNMP, or none to the question')
}
