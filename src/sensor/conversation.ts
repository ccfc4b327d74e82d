import type { Socket } from 'node:net'
import { serviceTypeOf } from '../checks/index.ts'
import type { AddressFamily } from '../outgoing/dial.ts'
import { type Host, parseHostAndPort } from '../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from './attempt.ts'
import type { Equipment } from './equipment.ts'
import { hideSecretsOfOutcome } from './hide-secrets.ts'
import type { CheckJob, Settings } from './protocol.ts'
import { ProtocolLine } from './protocol-line.ts'
import { readInteger, readOptionalInteger, readOptionalText } from './settings.ts'
import type { StallMeter } from './stall-meter.ts'

/** The connection of a protocol's check. */
export interface Conversation {
  readonly job: CheckJob
  readonly settings: Settings
  readonly attempt: Attempt
  readonly line: ProtocolLine
  readonly host: Host
  /** True while TLS protects the connection. */
  isSecure(): boolean
  /**
   * Begins TLS by the settings `verify_certificate` and `certificate_days`; resolves with the socket to use from now
   * on.
   */
  secure(): Promise<Socket>
}

/** The job's secret settings, as its type declares them. */
export function secretsOfJob({ typeId, settings }: CheckJob): readonly string[] {
  const secret = serviceTypeOf(typeId)?.settings.filter(({ isSecret }) => isSecret) ?? []
  return secret.flatMap(({ setting_id: id }) => readOptionalText(settings, id) ?? [])
}

export interface ConversationOptions {
  readonly family: AddressFamily
  readonly stallMeter: StallMeter
  /** Present if the address is a web address. */
  readonly at?: () => {
    readonly host: Host
    readonly port: number
    readonly isSecure: boolean
    /** Secrets in the address. */
    readonly secrets: readonly string[]
  }
  /** Application protocols offered over TLS. */
  readonly protocols?: readonly string[]
}

/**
 * Connects to the job's address, begins TLS if its setting `tls` is `tls`, runs the check, and closes at the end.
 * Resolves with a result value in every case.
 */
export async function converse(
  job: CheckJob,
  equipment: Equipment,
  { family, stallMeter, ...target }: ConversationOptions,
  talk: (conversation: Conversation) => Promise<void>,
): Promise<CheckOutcome> {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  const secrets = [...secretsOfJob(job)]
  const outcome = await observe(attempt, async () => {
    const place = target.at?.()
    const { host, port } = place ?? parseHostAndPort(job.address, readOptionalInteger(settings, 'port'))
    secrets.push(...(place?.secrets ?? []))
    const addresses = await equipment.dialler.resolve(attempt, host, family)
    const plain = await equipment.dialler.connect(attempt, addresses, port)
    const line = new ProtocolLine(attempt, plain)
    let isSecure = false
    const secure = async (): Promise<Socket> => {
      const socket = await equipment.tls.handshake(attempt, line.release(), host, {
        ...demandsOf(settings),
        protocols: target.protocols ?? [],
      })
      line.use(socket)
      isSecure = true
      attempt.enter(line.bytes > 0 ? 'transfer' : 'first_byte', 'protocol_answer_timeout')
      return socket
    }
    try {
      attempt.enter('first_byte', 'protocol_answer_timeout')
      if (settings['tls'] === 'tls' || place?.isSecure === true) await secure()
      await talk({ job, settings, attempt, line, host, isSecure: () => isSecure, secure })
      attempt.stop()
      attempt.dataSize = line.bytes
    } finally {
      line.close()
    }
  })
  return hideSecretsOfOutcome(outcome, secrets)
}

function demandsOf(settings: Settings) {
  return {
    verifyCertificate: (settings['verify_certificate'] ?? true) !== false,
    certificateDays: readOptionalInteger(settings, 'certificate_days'),
  }
}
