/** The end of a certificate or of a domain, as a station read it. */
export interface Expiry {
  readonly kind: 'certificate' | 'domain'
  /** Tells two certificates apart: the fingerprint of a certificate, the name of a domain. */
  readonly id: string
  /** For people: the names of a certificate, the name of a domain. */
  readonly name: string
  /** Unix milliseconds. */
  readonly endsAt: number
}
