import { named, type Schema } from '../../rest/schemas.ts'

const text = (description: string): Schema => ({ type: 'string', description })
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description })
const flag = (description: string): Schema => ({ type: 'boolean', description })

/**
 * The facts that stations of this version report beside a result. Which of them exist depends on the service's type and
 * on how far the check came. Remote stations may have another version and report more, also in single values:
 * generators cannot express that beside the names.
 */
export const factsSchema: Schema = named('check_facts', {
  type: 'object',
  properties: {
    certificate_valid_from: textOrNull('Of a TLS certificate.'),
    certificate_valid_to: textOrNull('Of a TLS certificate.'),
    certificate_subject: text('Of a TLS certificate.'),
    certificate_names: textOrNull('Names for which a TLS certificate is valid.'),
    certificate_issuer: text('Of a TLS certificate.'),
    certificate_fingerprint: textOrNull('SHA-256 of a TLS certificate.'),
    certificate_error: text('Why a TLS certificate was refused.'),
    content_is_cut: flag('True: the answer had more content than a station reads.'),
    warnings: text('What is odd about an HTTP answer, and no failure.'),
    resource_errors: text('What a page asked for and did not get.'),
    dns_rcode: text('Of a DNS answer.'),
    dns_authoritative: flag('Of a DNS answer.'),
    dns_recursion_available: flag('Of a DNS answer.'),
    dns_transport: text('udp or tcp.'),
    dns_answers: text('Records of the DNS answer, one a line.'),
    dns_authorities: text('Records of the authority section, one a line.'),
    smtp_dialogue: text('What was said over SMTP.'),
  },
})
