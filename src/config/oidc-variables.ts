import { parseOidcRules, usualOidcRules } from '../domain/access/oidc-rules.ts'
import { address, matching, text, variable } from './variable.ts'

const rules = text
  .superRefine((json, context) => {
    const parsed = parseOidcRules(json)
    if ('fault' in parsed)
      context.addIssue({ code: 'custom', message: `must be a JSON array of rules: ${parsed.fault}` })
  })
  .transform((json) => {
    const parsed = parseOidcRules(json)
    return 'fault' in parsed ? usualOidcRules : parsed
  })

/** Signatures of identity tokens are not verified: TLS protects them, or the machine's own loopback. */
const issuer = address('http:', 'https:').pipe(
  matching((written) => {
    const { protocol, hostname } = new URL(written)
    return protocol === 'https:' || /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  }, 'must begin with https://; http:// is permitted for this machine alone, like http://127.0.0.1:8080'),
)

const line = text.regex(/^[^\p{Cc}]{1,500}$/u, 'must be one line of at most 500 characters')

const word = text.regex(/^\S{1,500}$/, 'must be at most 500 characters without a space')

interface OidcValues {
  readonly OIDC_ISSUER: string | undefined
  readonly OIDC_CLIENT_ID: string | undefined
  readonly OIDC_CLIENT_SECRET: string | undefined
}

/** The three variables that make a login belong together. */
export function oidcContradictions(values: Partial<OidcValues>): string[] {
  const given = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET]
  const count = given.filter((value) => value !== undefined).length
  return count === 0 || count === given.length
    ? []
    : ['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all three, or none']
}

/** Variables of the login through an identity provider (OpenID Connect). */
export const oidcVariables = {
  OIDC_ISSUER: variable({
    defaultText: undefined,
    wrongText: 'login.example.com',
    schema: issuer,
    type: 'URL',
    meaning:
      'Identity provider through which people log in to the console, by OpenID Connect; `http:` only on this machine; unset: none.',
  }),
  OIDC_CLIENT_ID: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: word,
    type: 'text',
    meaning:
      'The client that this installation is at the provider. Its redirect URI is `PUBLIC_URL/auth/oidc/callback`.',
  }),
  OIDC_CLIENT_SECRET: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: word,
    type: 'text',
    isSecret: true,
    meaning: 'The secret of that client.',
  }),
  OIDC_NAME: variable({
    defaultText: undefined,
    wrongText: 'a\tb',
    schema: line,
    type: 'text',
    meaning: 'The name of the provider on the login page; unset: its host name.',
  }),
  OIDC_RULES: variable({
    defaultText: undefined,
    wrongText: '[{"create": true}]',
    schema: rules,
    type: 'JSON',
    meaning:
      'Who may log in through the provider, and as which account; see [Logging in through an identity provider](oidc.md). Unset: whoever has an account with the verified e-mail address.',
  }),
}
