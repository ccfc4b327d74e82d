import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/**
 * The first of OWASP's recommended settings for argon2id; takes 16 ms of one core. The module's default algorithm is
 * argon2id.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Without 0, o, 1, l and i, because it may be read aloud and typed. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `groups` words of four characters, each worth almost five bits. */
export function readableSecret(groups: number): string {
  const group = () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Different systems may send the same letters composed or decomposed. */
function prepared(password: string): string {
  return password.normalize('NFC')
}

export function hashPassword(password: string): Promise<string> {
  return hash(prepared(password), parameters)
}

/** Takes the same time with and without a hash, so that nobody learns which usernames exist. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobodysHash()), prepared(password))
  return right && passwordHash !== null
}

let nobody: Promise<string> | undefined

/** Computed once, with today's parameters. */
function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(generatePassword())
  return nobody
}

/** Five groups of four: 99 bits. */
export function generatePassword(): string {
  return readableSecret(5)
}
