import type { GatewayId } from '../domain/letter.ts'
import { variable, wholeNumber } from './variable.ts'

function rate(name: string) {
  return variable({
    defaultText: undefined,
    wrongText: '1.5',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: `Most ${name} a minute that this process sends, spread evenly; unset: as many as the gateway takes.`,
  })
}

/** How much gateways are given at once and in a minute. */
export const gatewayLimitVariables = {
  SMTP_CONNECTIONS: variable({
    defaultText: '10',
    wrongText: '0',
    schema: wholeNumber(1, 100),
    type: 'number',
    meaning: 'Most connections to the mail server at once; each carries one mail after another.',
  }),
  SMTP_RATE: rate('mails'),
  SMS_RATE: rate('SMS'),
  XMPP_RATE: rate('messages by Jabber'),
  GADU_GADU_RATE: rate('messages by Gadu-Gadu'),
}

type Name = Exclude<keyof typeof gatewayLimitVariables, 'SMTP_CONNECTIONS'>

export type LimitValues = Readonly<Record<Name, number | undefined>>

const gateways: Readonly<Record<Name, GatewayId>> = {
  SMTP_RATE: 'email',
  SMS_RATE: 'sms',
  XMPP_RATE: 'jabber',
  GADU_GADU_RATE: 'gadu_gadu',
}

/** Messages a minute; a gateway without a limit is left out. */
export function ratesOf(values: LimitValues): Partial<Record<GatewayId, number>> {
  const names = Object.keys(gateways) as Name[]
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[gateways[name], values[name]]])),
  )
}
