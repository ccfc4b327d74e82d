import { names } from './notifications/channels/gateway-template.ts'
import type { SmsGateway } from './notifications/channels/sms.ts'

/** The variables of the gateway; what is undefined was not given. */
export interface SmsValues {
  readonly SMS_GATEWAY_URL: string | undefined
  readonly SMS_GATEWAY_METHOD: SmsGateway['method']
  readonly SMS_GATEWAY_BODY: string | undefined
  readonly SMS_GATEWAY_HEADERS: Readonly<Record<string, string>> | undefined
  readonly SMS_GATEWAY_SUCCESS: readonly string[]
  readonly SMS_GATEWAY_REFUSAL: RegExp | undefined
  readonly SMS_GATEWAY_IDEMPOTENT: boolean
  readonly SMS_TRANSLITERATE: boolean
}

const usualBody = '{"to":"{to}","text":"{text}","id":"{id}"}'

/** Undefined when there is none. */
export function smsGatewayOf(values: SmsValues): SmsGateway | undefined {
  const { SMS_GATEWAY_URL: url, SMS_GATEWAY_METHOD: method } = values
  if (url === undefined) return undefined
  return Object.freeze({
    ...{ url, method, headers: values.SMS_GATEWAY_HEADERS ?? {}, success: values.SMS_GATEWAY_SUCCESS },
    body: values.SMS_GATEWAY_BODY ?? (method === 'GET' ? null : usualBody),
    refusal: values.SMS_GATEWAY_REFUSAL ?? null,
    isIdempotent: values.SMS_GATEWAY_IDEMPOTENT,
    isTransliterated: values.SMS_TRANSLITERATE,
  })
}

/** Values that are right one by one but not together; those that are wrong are left out. */
export function smsContradictions(values: Partial<SmsValues>): string[] {
  const { SMS_GATEWAY_URL: url, SMS_GATEWAY_METHOD: method, SMS_GATEWAY_BODY: body } = values
  if (url === undefined) {
    return (['SMS_GATEWAY_BODY', 'SMS_GATEWAY_HEADERS', 'SMS_GATEWAY_REFUSAL'] as const)
      .filter((name) => values[name] !== undefined)
      .map((name) => `${name}: means nothing without SMS_GATEWAY_URL`)
  }
  if (method === 'GET' && body !== undefined) return ['SMS_GATEWAY_BODY: means nothing with SMS_GATEWAY_METHOD=GET']
  const templates = [url, method === 'GET' ? '' : (body ?? usualBody)]
  return (['to', 'text'] as const)
    .filter((name) => !templates.some((template) => names(template, name)))
    .map((name) => `SMS_GATEWAY_URL: {${name}} must stand in it or in SMS_GATEWAY_BODY`)
}
