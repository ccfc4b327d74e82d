import type { PeerCertificate } from 'node:tls'
import { dayLength } from '../../domain/calendars/durations.ts'
import { wallTime } from '../wall-time.ts'

/** The properties of a certificate that assertions read. */
export type CertificateProperties = Readonly<Record<string, string | number>>

export function certificateProperties(certificate: PeerCertificate): CertificateProperties {
  const daysLeft = (Date.parse(certificate.valid_to) - wallTime()) / dayLength
  return {
    days_left: Math.floor(daysLeft),
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: certificate.subjectaltname ?? '',
    valid_from: certificate.valid_from,
    valid_to: certificate.valid_to,
    serial_number: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
  }
}

/** `CN=…, O=…` in the certificate's order; a part may repeat. */
function nameOf(name: PeerCertificate['subject'] | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([key, values]) => [values].flat().map((value) => `${key}=${value}`))
    .join(', ')
}
