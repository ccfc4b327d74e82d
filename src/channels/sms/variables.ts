import * as z from 'zod'
import { address, onOrOff, split, text, variable, wholeNumber } from '../../config/variable.ts'
import { httpGatewayVariables } from '../http/variables.ts'
import { rateVariable } from '../rate-variable.ts'

const smsProviders = ['http', 'smsapi', 'twilio', 'smpp'] as const

/** The prefix of the variables that describe an HTTP gateway. */
export const gatewayPrefix = 'SMS_GATEWAY'

const withCredentials = 'must hold a user, a password and a host, smpp://user:password@host'

/** Variables of SMS. */
export const smsVariables = {
  SMS_PROVIDER: variable({
    defaultText: 'http',
    wrongText: 'pigeon',
    schema: z.enum(smsProviders, `must be one of ${smsProviders.join(', ')}`),
    type: '`http`, `smsapi`, `twilio` or `smpp`',
    meaning: 'The sender of SMS: a gateway described by the variables below, a known provider, or a message centre.',
  }),
  SMS_ACCOUNT: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: text.regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be letters and digits'),
    type: 'text',
    meaning: 'For `twilio`: the account SID.',
  }),
  SMS_TOKEN: variable({
    defaultText: undefined,
    wrongText: 'x',
    schema: text.regex(/^[!-~]{8,500}$/, 'must be 8 to 500 characters without blanks'),
    type: 'text',
    isSecret: true,
    meaning: 'For `smsapi` and `twilio`: the token of the account.',
  }),
  SMS_SENDER: variable({
    defaultText: undefined,
    wrongText: 'far too long a name',
    schema: text.regex(
      /^(\+?\d{3,15}|[A-Za-z0-9][A-Za-z0-9 ._-]{0,10})$/,
      'must be a number or up to 11 letters and digits',
    ),
    type: 'text',
    meaning: 'For `smsapi`, `twilio` and `smpp`: the displayed sender of an SMS; unset: the provider’s default.',
  }),
  ...httpGatewayVariables(gatewayPrefix, 'SMS'),
  SMPP_URL: variable({
    defaultText: undefined,
    wrongText: 'host',
    schema: address('smpp:', 'ssmpp:').refine((url) => hasCredentials(url), withCredentials),
    type: 'URL',
    isSecret: true,
    meaning: 'For `smpp`: the message centre, `smpp://system_id:password@host:2775`, or `ssmpp://…` over TLS.',
  }),
  SMPP_LONG_MESSAGES: variable({
    defaultText: 'udh',
    wrongText: 'maybe',
    schema: z.enum(['udh', 'payload'], 'must be udh or payload'),
    type: '`udh` or `payload`',
    meaning: 'The form of an SMS of several parts: split by us with a header in each (`udh`), or whole (`payload`).',
  }),
  SMS_PREFIXES: variable({
    defaultText: undefined,
    wrongText: '+48,x',
    schema: text
      .transform((list) => split(list).map((prefix) => prefix.replace(/^\+/, '')))
      .refine((prefixes) => prefixes.every((prefix) => /^\d{1,10}$/.test(prefix)), 'must be a comma list like +48,+49'),
    type: 'list',
    meaning:
      'The beginnings of the telephone numbers to which SMS are sent, with the code of the country, such as `+48,+49`; unset: all.',
  }),
  SMS_PARTS: variable({
    defaultText: '1',
    wrongText: '0',
    schema: wholeNumber(1, 10),
    type: 'number',
    meaning: 'Largest number of parts of an SMS; longer texts are cut.',
  }),
  SMS_TRANSLITERATE: variable({
    defaultText: 'on',
    wrongText: 'maybe',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether an SMS writes `zazolc` for `zażółć`, and so holds 160 characters instead of 70.',
  }),
  SMS_ACKNOWLEDGE_LINK: variable({
    defaultText: 'off',
    wrongText: 'maybe',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether an SMS of a failure ends with the link that acknowledges it, where all of it fits. Providers may refuse SMS with links.',
  }),
  SMS_RATE: rateVariable('SMS'),
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password, hostname } = new URL(url)
  return username !== '' && password !== '' && hostname !== ''
}
