import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/**
 * Codes of an authenticator application: RFC 6238 with SHA-1, six digits and 30 seconds, the form that all of them
 * support.
 */
function totp(secret: Uint8Array, username = ''): TOTP {
  return new TOTP({
    issuer: 'Latarnik',
    label: username,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })
}

/** The code that an application shows at the moment. Unix milliseconds. */
export function oneTimePassword(secret: Uint8Array, at: number): string {
  return totp(secret).generate({ timestamp: at })
}

/** The 30-second step of a moment. Unix milliseconds. */
export function stepAt(at: number): number {
  return Math.floor(at / stepMs)
}

/**
 * The step of this code: the present one or a neighbour (phones' clocks are inexact), later than the last used one;
 * undefined if there is none.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { readonly now: number; readonly lastStep: number | null },
): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const shift = totp(secret).validate({ token: code, timestamp: now, window: 1 })
  if (shift === null) return undefined
  const step = stepAt(now) + shift
  return step > (lastStep ?? -1) ? step : undefined
}

/** The setup of an application: the secret in base32, and as an `otpauth:` address for a QR code. */
export function setUpFacts(
  secret: Uint8Array,
  username: string,
): { readonly secret: string; readonly otpauth_url: string } {
  const { secret: kept, issuer, algorithm, digits, period } = totp(secret)
  const label = `${issuer}:${encodeURIComponent(username)}`
  const url = `otpauth://totp/${label}?secret=${kept.base32}&issuer=${issuer}&algorithm=${algorithm}&digits=${digits}&period=${period}`
  return { secret: kept.base32, otpauth_url: url }
}
