import * as z from 'zod'
import { plainLetters } from '../text/plain-letters.ts'

/** The rules of `OIDC_RULES`, in their order: people who may log in through the provider, and their accounts. */

const texts = z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)])

const creation = z.union([
  z.strictObject({ package_id: z.int().positive() }),
  z.strictObject({ sub_account_of: z.string().min(1) }),
])

const rule = z.strictObject({
  /** Claims that must have one of the values; a claim with several values must contain one. Empty: everybody. */
  when: z.record(z.string(), texts).default({}),
  /** An account with the same verified e-mail address, or the same username, gets linked. */
  link_by: z.enum(['email', 'username']).nullable().default(null),
  /** A new account of the package, or a new sub-account, for whoever has none yet. */
  create: creation.nullable().default(null),
  /** Set at each login; null leaves it. */
  is_read_only: z.boolean().nullable().default(null),
})

export type OidcRule = Readonly<z.infer<typeof rule>>

/** The identity has the account with its verified e-mail address. */
export const usualOidcRules: readonly OidcRule[] = [{ when: {}, link_by: 'email', create: null, is_read_only: null }]

/** The rules of the text, or what is wrong with it. */
export function parseOidcRules(text: string): readonly OidcRule[] | { readonly fault: string } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { fault: 'is no JSON' }
  }
  const parsed = z.array(rule).min(1).safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { fault: `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'is wrong'}` }
}

/** The provider's statements about an identity. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * The claims of the identity token, and of the user info where it lacks them. An e-mail address has the mark
 * `email_verified` of its own source.
 */
export function joinedClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified } = Object.hasOwn(idToken, 'email') ? idToken : userInfo
  return { ...userInfo, ...idToken, email, email_verified }
}

function valuesOf(claim: unknown): readonly string[] {
  const values = Array.isArray(claim) ? claim : [claim]
  return values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
}

/** The first rule that the claims meet; null: nobody with these claims may log in. */
export function ruleFor(rules: readonly OidcRule[], claims: Claims): OidcRule | null {
  const meets = ({ when }: OidcRule) =>
    Object.entries(when).every(([name, wanted]) => valuesOf(claims[name]).some((value) => wanted.includes(value)))
  return rules.find(meets) ?? null
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null
}

/** Null unless the provider has verified it. */
export function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  return isVerified === true ? textOf(email) : null
}

/** A username like the identity's own, in the letters that usernames may have; null if none is left. */
export function usernameOf(claims: Claims): string | null {
  const wanted = textOf(claims['preferred_username']) ?? textOf(claims['email']) ?? textOf(claims['sub'])
  const letters = plainLetters(wanted ?? '')
    .replaceAll(/[^a-zA-Z0-9._@-]/g, '')
    .slice(0, 60)
  return letters.length >= 3 ? letters : null
}

/** Names for people: the identity's, else its username. */
export function displayNameOf(claims: Claims, username: string): string {
  return (textOf(claims['name']) ?? username).replaceAll(/\p{C}/gu, ' ').slice(0, 200)
}
