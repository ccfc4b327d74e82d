import type { PasskeyOrigin } from '../../auth/passkeys/context.ts'
import type { Call } from '../../rest/call.ts'
import { basePath } from '../../rest/documentation.ts'
import { json } from '../../rest/fields.ts'

/** The input and the output of browsers, as the platform defines them: WebAuthn Level 3, section 5.1. */

const encoded = { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 20_000 } as const
const common = { id: encoded, rawId: encoded, type: { type: 'string', enum: ['public-key'] } } as const

function answerSchema(members: readonly string[]) {
  const properties = Object.fromEntries(members.map((name) => [name, encoded]))
  return {
    type: 'object',
    required: ['id', 'rawId', 'type', 'response'],
    properties: { ...common, response: { type: 'object', required: members, properties, additionalProperties: true } },
    additionalProperties: true,
  } as const
}

const assertion = answerSchema(['clientDataJSON', 'authenticatorData', 'signature'])
const registration = answerSchema(['clientDataJSON', 'attestationObject'])
const id = 'dGhlIGlkIG9mIGEgcGFzc2tleQ'

/** The answer of a passkey that is registered. */
export const passkeyAnswer = json({
  about: 'The answer of the browser: `navigator.credentials.get()` and then `toJSON()`.',
  schema: { written: assertion, shown: assertion },
  example: {
    ...{ id, rawId: id, type: 'public-key' },
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  },
})

/** The answer with a new passkey. */
export const registrationAnswer = json({
  about: 'The answer of the browser: `navigator.credentials.create()` and then `toJSON()`.',
  schema: { written: registration, shown: registration },
  required: true,
  example: {
    ...{ id, rawId: id, type: 'public-key' },
    response: { clientDataJSON: 'e30', attestationObject: 'AA' },
  },
})

const options = {
  type: 'object',
  required: ['challenge'],
  properties: { challenge: encoded },
  additionalProperties: true,
} as const

/** The input of a browser, for one answer within five minutes. */
export function optionsAnswer(parse: 'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON') {
  return {
    200: {
      about: `For \`PublicKeyCredential.${parse}()\`. The challenge serves one answer within five minutes.`,
      schema: { ...options, example: { challenge: 'c29tZSByYW5kb20gYnl0ZXM' } },
    },
  }
}

export function passkeyOrigin({ ipAddress, userAgent, baseUrl }: Call): PasskeyOrigin {
  return { ipAddress, userAgent, root: baseUrl.slice(0, -basePath.length) }
}
