import * as z from 'zod'
import { isObject } from '../../domain/input/json.ts'

/** A browser's answers to a challenge, as `PublicKeyCredential.toJSON()` writes them. Other members are dropped. */

const encoded = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[A-Za-z0-9_-]+$/)

const common = {
  id: encoded(1400),
  rawId: encoded(1400),
  type: z.literal('public-key'),
}

const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded(4000),
    attestationObject: encoded(20_000),
    transports: z.array(z.string().max(20)).max(10).default([]).catch([]),
  }),
})

const assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded(4000),
    authenticatorData: encoded(4000),
    signature: encoded(4000),
    userHandle: encoded(100).optional().catch(undefined),
  }),
})

export type RegistrationAnswer = z.infer<typeof registration>
export type PasskeyAssertion = z.infer<typeof assertion>

/** Null for anything else. */
export function readRegistration(input: unknown): RegistrationAnswer | null {
  return registration.safeParse(input).data ?? null
}

/** Null for anything else. */
export function readAssertion(input: unknown): PasskeyAssertion | null {
  return assertion.safeParse(input).data ?? null
}

function clientDataOf(clientDataJson: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
    return isObject(data) ? data : {}
  } catch {
    // Bytes that are no JSON say nothing.
    return {}
  }
}

/** The challenge that the answer repeats; null if it names none. */
export function challengeIn(clientDataJson: string): string | null {
  const { challenge } = clientDataOf(clientDataJson)
  return typeof challenge === 'string' ? challenge : null
}

/** True if the page that asked stood in a frame of another site. Our pages never do. */
export function isFramed(clientDataJson: string): boolean {
  return clientDataOf(clientDataJson)['crossOrigin'] === true
}
