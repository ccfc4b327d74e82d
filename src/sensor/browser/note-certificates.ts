import type { Response } from 'playwright-core'
import { type Expiry, nearestOf } from '../../domain/expiry/expiry.ts'
import { readExpiry } from '../read-degraded.ts'
import type { Visit } from './visit.ts'
import { within } from './within.ts'

/** The driver has heard of the certificate with the answer, so this is a matter of milliseconds. */
const patienceMs = 1000

/** Notes when the certificates of the visited pages end. The browser tells of no intermediate certificates. */
export async function noteCertificates({ attempt, watch }: Pick<Visit, 'attempt' | 'watch'>): Promise<void> {
  if (watch.secured.length === 0) return
  const seen = await within(patienceMs, Promise.all(watch.secured.map(endOf)))
  attempt.expiry = nearestOf(seen ?? [])
}

/** The browser has no fingerprint for us: names and dates tell two certificates apart. */
async function endOf(answer: Response): Promise<Expiry | undefined> {
  const details = await answer.securityDetails().catch(() => null)
  const { subjectName = '', issuer = '', validFrom, validTo } = details ?? {}
  if (validTo === undefined) return undefined
  const id = [subjectName, issuer, validFrom, validTo].join(' ')
  return readExpiry({ kind: 'certificate', id, name: subjectName, endsAt: validTo * 1000 }) ?? undefined
}
