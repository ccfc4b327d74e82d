import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const clientId = 'latarnik'
export const clientSecret = 'a secret of the two of them'

export interface IdentityProvider {
  readonly issuer: string
  /** The claims of its people, by subject. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Walks through its pages as the person, and returns the address that it sends the browser back to. */
  visit(address: string, subject: string): Promise<string>
  /** From now on it publishes the key of somebody else. */
  publishOtherKeys(): void
  stop(): Promise<void>
}

/** A real identity provider on loopback, which asks for no password. `root` is the address of the installation. */
export async function identityProvider(root: string): Promise<IdentityProvider> {
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  let visitor = ''
  let otherKeys: string | null = null
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/') === true) {
      provider
        .interactionFinished(request, response, { login: { accountId: visitor } })
        .catch((error: unknown) => response.writeHead(500).end(String(error)))
      return
    }
    if (request.url === '/jwks' && otherKeys !== null) {
      response.setHeader('content-type', 'application/json').end(otherKeys)
      return
    }
    void provider.callback()(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${root}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${root}/login`],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'locale', 'groups'],
    },
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...people.get(subject) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  return {
    issuer,
    people,
    publishOtherKeys() {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      otherKeys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] })
    },
    async visit(address, subject) {
      visitor = subject
      const cookies = new Map<string, string>()
      let next = address
      for (let steps = 0; next.startsWith(issuer); steps++) {
        if (steps > 10) throw new Error(`The provider goes round: ${next}`)
        const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        const reply = await fetch(next, { redirect: 'manual', headers })
        for (const line of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const to = reply.headers.get('location')
        if (to === null) throw new Error(`The provider stays at ${next}: ${reply.status} ${await reply.text()}`)
        next = new URL(to, next).href
      }
      return next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
