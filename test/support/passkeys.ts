import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../../src/database/connect.ts'

/** The row of a passkey that nobody holds; returns its identifier. By default it is of another site. */
export async function givenPasskey(executor: Executor, accountId: number, rpId = 'elsewhere.test'): Promise<number> {
  const [made] = await executor.query<{ id: number }>(sql`
    insert into passkeys (owner_id, name, credential_id, public_key, sign_count, user_handle, rp_id, transports,
      is_synced, created_at)
    select id, 'Telephone', ${randomBytes(16)}, ${randomBytes(70)}, 0, ${randomBytes(32)}, ${rpId}, '{internal}',
      true, created_at from accounts where id = ${accountId} returning id`)
  return made?.id ?? 0
}

/** CBOR (RFC 8949) of the few types that authenticators write. */
type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member)])
  return Buffer.concat([head(5, value.size), ...members])
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

const flags = { present: 0x01, verified: 0x04, synced: 0x18, attested: 0x40 }

/** How an answer may be wrong. */
export interface Twist {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** Default: true. */
  readonly isVerified?: boolean
  /** Default: false. */
  readonly isFramed?: boolean
  /** Default: one more than before. */
  readonly count?: number
  readonly userHandle?: string
  /** Signs with another key. */
  readonly isForged?: boolean
}

interface Options {
  readonly challenge: string
}

/** An authenticator in memory with one passkey (ES256), as a browser drives it. */
export class SoftAuthenticator {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)
  readonly #site: { readonly origin: string; readonly rpId: string }
  #count = 0
  #userHandle: string | null = null

  constructor(site: { readonly origin: string; readonly rpId: string }) {
    this.#site = site
  }

  get id(): string {
    return this.#id.toString('base64url')
  }

  /** The answer to creation options. */
  register({ challenge, user }: Options & { readonly user: { readonly id: string } }, twist: Twist = {}) {
    this.#userHandle = user.id
    const jwk = this.#pair.publicKey.export({ format: 'jwk' })
    const [x, y] = [jwk.x ?? '', jwk.y ?? ''].map((part) => Buffer.from(part, 'base64url'))
    const key = cbor(
      new Map<number, Cbor>([
        ...([[1, 2]] as const),
        ...([[3, -7]] as const),
        ...([[-1, 1]] as const),
        [-2, x ?? Buffer.alloc(0)],
        [-3, y ?? Buffer.alloc(0)],
      ]),
    )
    const length = Buffer.from([0, this.#id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.#id, key])
    const authData = Buffer.concat([this.#authData(twist, flags.attested), attested])
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const clientDataJSON = this.#clientData('webauthn.create', challenge, twist)
    const attestationObject = attestation.toString('base64url')
    return { ...this.#named(), response: { clientDataJSON, attestationObject, transports: ['internal', 'made-up'] } }
  }

  /** The answer to request options. */
  answer({ challenge }: Options, twist: Twist = {}) {
    const authenticatorData = this.#authData(twist, 0)
    const clientDataJSON = this.#clientData('webauthn.get', challenge, twist)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const { privateKey } = twist.isForged === true ? this.#other : this.#pair
    return {
      ...this.#named(),
      response: {
        clientDataJSON,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: twist.userHandle ?? this.#userHandle,
      },
    }
  }

  #named() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, twist: Twist): string {
    const data = {
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? this.#site.origin,
    }
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: twist.isFramed ?? false })).toString('base64url')
  }

  #authData({ rpId = this.#site.rpId, isVerified = true, count }: Twist, more: number): Buffer {
    this.#count = count ?? this.#count + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#count)
    const bits = flags.present | flags.synced | (isVerified ? flags.verified : 0) | more
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), counter])
  }
}
