import type { NotifierOptions } from '../notifications/start.ts'
import {
  type ChatValues,
  chatContradictions,
  chatVariables,
  gaduGaduGatewayOf,
  jabberAccountOf,
} from './chat-gateways.ts'
import { gatewayLimitVariables, type LimitValues, ratesOf } from './gateway-limits.ts'
import { type SmsValues, smsContradictions, smsWayOf } from './sms-gateway.ts'
import { smsVariables } from './sms-variables.ts'

/** All that belongs to the gateways for notices beside mail; a new one stands in this file alone of what reads the configuration. */
export const gatewayVariables = { ...smsVariables, ...chatVariables, ...gatewayLimitVariables }

type Values = SmsValues & ChatValues & LimitValues

const makers = { sms: smsWayOf, jabber: jabberAccountOf, gaduGadu: gaduGaduGatewayOf }

type GatewayName = keyof typeof makers

/** Members of the configuration that hold credentials. */
export const gatewayNames = Object.keys(makers) as readonly GatewayName[]

export type GatewayConfig = Pick<NotifierOptions, GatewayName | 'perMinute'>

/** What is undefined has no gateway. */
export function gatewaysOf(values: Values): GatewayConfig {
  const made = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(values)]))
  return Object.freeze({ ...made, perMinute: Object.freeze(ratesOf(values)) })
}

/** Values that are right one by one but not together; those that are wrong are left out. */
export function contradictionsOfGateways(values: Partial<Values>): string[] {
  return [...smsContradictions(values), ...chatContradictions(values)]
}
