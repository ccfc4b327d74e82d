import { domainToASCII } from 'node:url'
import { plainName } from '../domain/expiry/registration.ts'

/** The name as registries spell it; null if it cannot be a name. */
export function asciiName(name: string): string | null {
  const ascii = domainToASCII(plainName(name))
  return ascii === '' ? null : ascii
}
