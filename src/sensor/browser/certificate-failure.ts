import type { SettingValue } from '../../domain/services/service-types.ts'
import { abandon } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt } from '../attempt.ts'
import type { Equipment } from '../equipment.ts'

interface Explained {
  readonly failure: Failure
  readonly facts: Readonly<Record<string, SettingValue>>
}

const patienceMs = 3000

/**
 * Explains why the browser rejected a certificate, because the browser names only the gravest fault and no dates. Null
 * if our own client accepts the certificate or cannot connect; then the browser's message stays.
 */
export async function explainCertificate(authority: string, { dialler, tls }: Equipment): Promise<Explained | null> {
  const attempt = new Attempt(authority, patienceMs)
  try {
    const { host, port } = parseHostAndPort(authority, 443)
    const socket = await dialler.connect(attempt, await dialler.resolve(attempt, host, 'any'), port)
    const demands = { verifyCertificate: true, certificateDays: null, protocols: ['h2', 'http/1.1'] }
    abandon(await tls.handshake(attempt, socket, host, demands))
    return null
  } catch (error) {
    const isTelling = error instanceof Failure && error.symbol.startsWith('certificate_')
    return isTelling ? { failure: error, facts: attempt.facts } : null
  } finally {
    attempt.stop()
  }
}
