import type { JabberAccount } from '../notifications/channels/xmpp/login.ts'
import {
  type GatewayValues,
  gatewayContradictions,
  httpGatewayOf,
  httpGatewayVariables,
} from './http-gateway-variables.ts'
import { address, onOrOff, variable } from './variable.ts'

/** Those of Jabber and Gadu-Gadu. */
export const chatVariables = {
  XMPP_URL: variable({
    defaultText: undefined,
    wrongText: 'alice@example.com',
    schema: address('xmpp:', 'xmpps:').refine(
      (url) => accountOf(url) !== null,
      'must hold a user, a password and a host, xmpp://user:password@host, and at most ?domain=…',
    ),
    type: 'URL',
    isSecret: true,
    meaning:
      'Account for Jabber, `xmpp://user:password@host:5222` (STARTTLS) or `xmpps://…:5223`; `?domain=example.com` when the host is not the domain of the account; unset: notices by Jabber fail.',
  }),
  XMPP_TLS: variable({
    defaultText: 'on',
    wrongText: 'maybe',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether a server of `xmpp://…` must offer TLS; `off` is for one on the same machine.',
  }),
  ...httpGatewayVariables('GADU_GADU_GATEWAY', 'Gadu-Gadu'),
}

type OfGateway = { readonly [Name in keyof GatewayValues as `GADU_GADU_GATEWAY_${Name}`]: GatewayValues[Name] }

export interface ChatValues extends OfGateway {
  readonly XMPP_URL: string | undefined
  readonly XMPP_TLS: boolean
}

const usualPorts = { 'xmpp:': 5222, 'xmpps:': 5223 } as const

function accountOf(text: string): Omit<JabberAccount, 'isTlsRequired'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, searchParams } = new URL(text)
  const strangers = [...searchParams.keys()].some((name) => name !== 'domain')
  if (username === '' || password === '' || hostname === '' || strangers) return null
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPorts[protocol === 'xmpps:' ? 'xmpps:' : 'xmpp:'] : Number(port),
    isTls: protocol === 'xmpps:',
    domain: searchParams.get('domain') ?? hostname,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** Undefined when there is none. */
export function jabberAccountOf({ XMPP_URL, XMPP_TLS }: ChatValues): JabberAccount | undefined {
  const account = XMPP_URL === undefined ? null : accountOf(XMPP_URL)
  return account === null ? undefined : Object.freeze({ ...account, isTlsRequired: XMPP_TLS })
}

/** Undefined when there is none. */
export function gaduGaduGatewayOf(values: ChatValues) {
  return httpGatewayOf({
    URL: values.GADU_GADU_GATEWAY_URL,
    METHOD: values.GADU_GADU_GATEWAY_METHOD,
    BODY: values.GADU_GADU_GATEWAY_BODY,
    HEADERS: values.GADU_GADU_GATEWAY_HEADERS,
    SUCCESS: values.GADU_GADU_GATEWAY_SUCCESS,
    REFUSAL: values.GADU_GADU_GATEWAY_REFUSAL,
    IDEMPOTENT: values.GADU_GADU_GATEWAY_IDEMPOTENT,
  })
}

/** Values that are right one by one but not together; those that are wrong are left out. */
export function chatContradictions(values: Partial<ChatValues>): string[] {
  return gatewayContradictions('GADU_GADU_GATEWAY', {
    URL: values.GADU_GADU_GATEWAY_URL,
    METHOD: values.GADU_GADU_GATEWAY_METHOD,
    BODY: values.GADU_GADU_GATEWAY_BODY,
    HEADERS: values.GADU_GADU_GATEWAY_HEADERS,
    REFUSAL: values.GADU_GADU_GATEWAY_REFUSAL,
  })
}
