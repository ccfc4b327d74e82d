import type { RelyingParty } from '../../domain/access/passkey.ts'
import { isFramed, type PasskeyAssertion, type RegistrationAnswer } from './answers.ts'
import type { StoredPasskey } from './stored.ts'

/** The cryptography of WebAuthn, loaded when somebody needs it. Every answer must come from a verified person. */

const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]

/** The ways in which a browser may reach a passkey. */
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

const descriptorOf = ({ credential_id: id, transports }: StoredPasskey) => ({
  id: id.toString('base64url'),
  transports: [...transports],
})

interface Registering {
  readonly party: RelyingParty
  readonly challenge: string
  readonly userHandle: Buffer
  readonly username: string
  /** They are on this account already. */
  readonly present: readonly StoredPasskey[]
}

export async function registrationOptions({ party, challenge, userHandle, username, present }: Registering) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Latarnik',
    rpID: party.id,
    userName: username,
    userDisplayName: username,
    userID: new Uint8Array(userHandle),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    excludeCredentials: present.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** `allowed` is empty before a login: the browser then offers every passkey of this site. */
export async function assertionOptions(party: RelyingParty, challenge: string, allowed: readonly StoredPasskey[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    ...(allowed.length === 0 ? {} : { allowCredentials: allowed.map(descriptorOf) }),
  })
}

export interface NewCredential {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly isSynced: boolean
}

/** Null if the answer proves no new passkey for this site and challenge. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  answer: RegistrationAnswer,
): Promise<NewCredential | null> {
  if (isFramed(answer.response.clientDataJSON)) return null
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo === undefined) return null
    const { credential, credentialBackedUp: isSynced } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      transports: transportNames.filter((name) => answer.response.transports.includes(name)),
      isSynced,
    }
  } catch {
    // The library throws for every answer that proves nothing.
    return null
  }
}

/** The counter of a proven answer; null if it proves nothing. */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  { passkey, answer }: { readonly passkey: StoredPasskey; readonly answer: PasskeyAssertion },
): Promise<{ readonly count: number; readonly isSynced: boolean } | null> {
  const { verifyAuthenticationResponse } = await library()
  const { userHandle } = answer.response
  if (isFramed(answer.response.clientDataJSON)) return null
  if (userHandle !== undefined && userHandle !== passkey.user_handle.toString('base64url')) return null
  // Its counter is judged where the use is recorded (domain/access/passkey.ts), which tells two uses at once apart.
  const credential = {
    id: passkey.credential_id.toString('base64url'),
    publicKey: new Uint8Array(passkey.public_key),
    counter: 0,
  }
  const { clientDataJSON, authenticatorData, signature } = answer.response
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        ...{ id: answer.id, rawId: answer.rawId, type: answer.type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential,
      requireUserVerification: true,
    })
    return verified ? { count: info.newCounter, isSynced: info.credentialBackedUp } : null
  } catch {
    // The library throws for every answer that proves nothing.
    return null
  }
}
