import * as z from 'zod'
import { matching, onOrOff, split, text, variable } from '../../config/variable.ts'
import type { HttpGateway } from './gateway.ts'
import { isBodyTemplate, isUrlTemplate, names, parseHeaders } from './template.ts'

const statusList = text
  .refine(
    (list) => split(list).every((status) => /^[23](\d\d|xx)$/.test(status)),
    'must be a comma list of statuses like 200 or 2xx',
  )
  .transform(split)

const headers = text
  .refine((json) => parseHeaders(json) !== null, 'must be a JSON object of headers, {"Name": "value"}')
  .transform((json) => parseHeaders(json) ?? {})

const regularExpression = text.transform((pattern, context) => {
  try {
    return new RegExp(pattern)
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a regular expression' })
    return z.NEVER
  }
})

/** Variables for the meaning of its answers, and for repeated messages. */
const answerVariables = {
  SUCCESS: variable({
    defaultText: '2xx',
    wrongText: '2xx,ok',
    schema: statusList,
    type: 'list',
    meaning: 'Statuses with which the gateway accepts a message.',
  }),
  REFUSAL: variable({
    defaultText: undefined,
    wrongText: '(',
    schema: regularExpression,
    type: 'regular expression',
    meaning: 'An answer that matches is a refusal, whatever its status; unset: the status decides.',
  }),
  IDEMPOTENT: variable({
    defaultText: 'off',
    wrongText: 'perhaps',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether the gateway sends a repeated message with the same `{id}` or `Idempotency-Key` only once.',
  }),
}

/** Variables of an HTTP gateway, without their prefix. `name` is its messages' name. */
function gatewayVariables(name: string) {
  return {
    URL: variable({
      defaultText: undefined,
      wrongText: 'https://{to}.example.com/',
      schema: matching(
        isUrlTemplate,
        'must be an address like http://… or https://…, with placeholders after the host only',
      ),
      type: 'URL template',
      isSecret: true,
      meaning: `HTTP gateway for ${name}; may hold \`{to}\`, \`{text}\`, \`{id}\`; unset: notifications through ${name} fail.`,
    }),
    METHOD: variable({
      defaultText: 'POST',
      wrongText: 'DELETE',
      schema: z.enum(['GET', 'POST', 'PUT'], 'must be GET, POST or PUT'),
      type: '`GET`, `POST` or `PUT`',
      meaning: 'Method of the request.',
    }),
    BODY: variable({
      defaultText: undefined,
      wrongText: '{"to":{to}}',
      schema: matching(
        isBodyTemplate,
        'must be JSON with placeholders inside its texts, or a form like to={to}&text={text}',
      ),
      type: 'template',
      isSecret: true,
      meaning:
        'Body of the request, JSON or a form; unset: `{"to":"{to}","text":"{text}","id":"{id}"}`, or nothing with `GET`.',
    }),
    HEADERS: variable({
      defaultText: undefined,
      wrongText: '{"Content-Length":"1"}',
      schema: headers,
      type: 'JSON',
      isSecret: true,
      meaning: 'Headers of the request, `{"Authorization":"Bearer …"}`.',
    }),
    ...answerVariables,
  }
}

type GatewayVariables = ReturnType<typeof gatewayVariables>

type Prefixed<Prefix extends string> = {
  readonly [Name in keyof GatewayVariables & string as `${Prefix}_${Name}`]: GatewayVariables[Name]
}

/** Variables of an HTTP gateway, such as `SMS_GATEWAY_URL`. */
export function httpGatewayVariables<Prefix extends string>(prefix: Prefix, name: string): Prefixed<Prefix> {
  const entries = Object.entries(gatewayVariables(name)).map(([key, value]) => [`${prefix}_${key}`, value])
  return Object.fromEntries(entries)
}

/** The values of one gateway; undefined values were not given. */
export interface GatewayValues {
  readonly URL: string | undefined
  readonly METHOD: HttpGateway['method']
  readonly BODY: string | undefined
  readonly HEADERS: Readonly<Record<string, string>> | undefined
  readonly SUCCESS: readonly string[]
  readonly REFUSAL: RegExp | undefined
  readonly IDEMPOTENT: boolean
}

const valueNames = ['URL', 'METHOD', 'BODY', 'HEADERS', 'SUCCESS', 'REFUSAL', 'IDEMPOTENT'] as const

/** The values of the variables with the prefix, out of all variables. */
export function gatewayValues(prefix: string, values: Readonly<Record<string, unknown>>): GatewayValues {
  // The variables of this file have parsed them.
  return Object.fromEntries(valueNames.map((name) => [name, values[`${prefix}_${name}`]])) as unknown as GatewayValues
}

const usualBody = '{"to":"{to}","text":"{text}","id":"{id}"}'

/** Undefined if there is none. */
export function httpGatewayOf(values: GatewayValues): HttpGateway | undefined {
  const { URL: url, METHOD: method } = values
  if (url === undefined) return undefined
  return Object.freeze({
    ...{ url, method, headers: values.HEADERS ?? {}, success: values.SUCCESS },
    body: values.BODY ?? (method === 'GET' ? null : usualBody),
    refusal: values.REFUSAL ?? null,
    isIdempotent: values.IDEMPOTENT,
  })
}

/** Values that are valid one by one but not together; invalid ones are left out. */
export function gatewayContradictions(prefix: string, values: GatewayValues): string[] {
  const { URL: url, METHOD: method, BODY: body } = values
  if (url === undefined) {
    return (['BODY', 'HEADERS', 'REFUSAL'] as const)
      .filter((name) => values[name] !== undefined)
      .map((name) => `${prefix}_${name}: means nothing without ${prefix}_URL`)
  }
  if (method === 'GET' && body !== undefined) {
    return [`${prefix}_BODY: means nothing with ${prefix}_METHOD=GET`]
  }
  const templates = [url, method === 'GET' ? '' : (body ?? usualBody)]
  return (['to', 'text'] as const)
    .filter((name) => !templates.some((template) => names(template, name)))
    .map((name) => `${prefix}_URL: {${name}} must stand in it or in ${prefix}_BODY`)
}
