import type { Connection, ValuesOf } from '../declare.ts'
import type { Transport } from '../delivery.ts'
import { type HttpGateway, hostOf } from '../http/gateway.ts'
import { gatewayContradictions, gatewayValues, httpGatewayOf } from '../http/variables.ts'
import { onlyTo } from './permitted-numbers.ts'
import { smsOverSmpp } from './smpp.ts'
import type { SmppAccount } from './smpp-bond.ts'
import { smsOverHttp } from './sms-over-http.ts'
import { gatewayPrefix, type smsVariables } from './variables.ts'

type SmsValues = ValuesOf<typeof smsVariables>

/** The two ways to send SMS: through any HTTP gateway, or SMPP. */
type SmsWay = { readonly http: HttpGateway } | { readonly smpp: SmppAccount }

function wayOf(values: SmsValues): SmsWay | null {
  if (values.SMS_PROVIDER === 'smpp') return { smpp: messageCentre(values) }
  const http = values.SMS_PROVIDER === 'http' ? httpGatewayOf(gatewayValues(gatewayPrefix, values)) : provider(values)
  return http === undefined ? null : { http }
}

/** Null: there is no gateway. */
export function connectSms(values: SmsValues): Connection | null {
  const way = wayOf(values)
  if (way === null) return null
  const form = {
    ...{ isTransliterated: values.SMS_TRANSLITERATE, mostParts: values.SMS_PARTS },
    hasLink: values.SMS_ACKNOWLEDGE_LINK,
  }
  const settings = { ...way, form }
  const limited = (transport: Transport) => onlyTo(values.SMS_PREFIXES, transport)
  return 'smpp' in way
    ? { goesTo: `${way.smpp.host}:${way.smpp.port}`, settings, open: () => limited(smsOverSmpp(way.smpp, form)) }
    : { goesTo: hostOf(way.http), settings, open: () => limited(smsOverHttp(way.http, form)) }
}

function provider(values: SmsValues): HttpGateway {
  const { SMS_GATEWAY_URL: url, SMS_ACCOUNT: account = '', SMS_TOKEN: token = '', SMS_SENDER: sender } = values
  return Object.freeze(
    values.SMS_PROVIDER === 'twilio'
      ? twilio(
          url ?? `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages.json`,
          account,
          token,
          sender ?? '',
        )
      : smsapi(url ?? 'https://api.smsapi.pl/sms.do', token, sender),
  )
}

/**
 * smsapi.pl answers 200 in every case. With `check_idx` it accepts an id once and answers 53 to its repetition. So a
 * message whose answer was lost can be sent again.
 */
function smsapi(url: string, token: string, sender: string | undefined): HttpGateway {
  const from = sender === undefined ? '' : `&from=${encodeURIComponent(sender)}`
  const saying = (...codes: number[]) => new RegExp(`"error"\\s*:\\s*(${codes.join('|')})\\b`)
  return {
    ...{ url, method: 'POST', headers: { Authorization: `Bearer ${token}` }, success: ['2xx'] },
    body: `to={to}&message={text}&idx={id}&check_idx=1&format=json&encoding=utf-8${from}`,
    refusal: /"error"\s*:/,
    isIdempotent: true,
    // 53 id used · 11, 12, 13 text or number · 14 sender, 101, 102 login, 103 credit, 105 address filter.
    phrases: { repeated: saying(53), hopeless: saying(11, 12, 13), broken: saying(14, 101, 102, 103, 105) },
  }
}

/** Twilio cannot be made to accept a message only once. Errors 21212, 21603, 21606 and 21659 are about the sender. */
function twilio(url: string, account: string, token: string, sender: string): HttpGateway {
  const credentials = Buffer.from(`${account}:${token}`).toString('base64')
  return {
    ...{ url, method: 'POST', headers: { Authorization: `Basic ${credentials}` }, success: ['201'] },
    body: `To={to}&From=${encodeURIComponent(sender)}&Body={text}`,
    refusal: null,
    isIdempotent: false,
    phrases: { broken: /"code"\s*:\s*(21212|21603|21606|21659)\b/ },
  }
}

const usualPorts = { 'smpp:': 2775, 'ssmpp:': 3550 } as const

function messageCentre({ SMPP_URL, SMPP_LONG_MESSAGES: longMessages, SMS_SENDER }: SmsValues): SmppAccount {
  const { hostname, port, protocol, username, password } = new URL(SMPP_URL ?? '')
  const isTls = protocol === 'ssmpp:'
  return Object.freeze({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPorts[isTls ? 'ssmpp:' : 'smpp:'] : Number(port),
    isTls,
    systemId: decodeURIComponent(username),
    password: decodeURIComponent(password),
    sender: SMS_SENDER ?? '',
    longMessages,
  })
}

const needed = {
  http: [],
  smsapi: ['SMS_TOKEN'],
  twilio: ['SMS_ACCOUNT', 'SMS_TOKEN', 'SMS_SENDER'],
  smpp: ['SMPP_URL'],
} as const satisfies Record<SmsValues['SMS_PROVIDER'], readonly (keyof SmsValues)[]>

/** Variables that only one way of sending needs. */
const special = ['SMS_ACCOUNT', 'SMS_TOKEN', 'SMPP_URL', 'SMS_SENDER'] as const
const used: Readonly<Record<SmsValues['SMS_PROVIDER'], readonly string[]>> = {
  http: [],
  smsapi: ['SMS_TOKEN', 'SMS_SENDER'],
  twilio: ['SMS_ACCOUNT', 'SMS_TOKEN', 'SMS_SENDER'],
  smpp: ['SMPP_URL', 'SMS_SENDER'],
}
const described = ['SMS_GATEWAY_BODY', 'SMS_GATEWAY_HEADERS', 'SMS_GATEWAY_REFUSAL'] as const

/** Values that are valid one by one but not together; invalid ones are left out. */
export function smsContradictions(values: Partial<SmsValues>): string[] {
  const { SMS_PROVIDER: provider } = values
  if (provider === undefined) return []
  const missing = needed[provider]
    .filter((name) => values[name] === undefined)
    .map((name) => `${name}: must be given with SMS_PROVIDER=${provider}`)
  const strays = [...special, ...(provider === 'http' ? [] : described)]
    .filter((name) => values[name] !== undefined && !used[provider].includes(name))
    .map((name) => `${name}: means nothing with SMS_PROVIDER=${provider}`)
  if (provider !== 'http') return [...missing, ...strays]
  return [...strays, ...gatewayContradictions(gatewayPrefix, gatewayValues(gatewayPrefix, values))]
}
