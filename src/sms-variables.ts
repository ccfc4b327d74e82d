import { z } from 'zod'
import { matching, onOrOff, split, text, variable } from './config-variable.ts'
import { isBodyTemplate, isUrlTemplate, parseHeaders } from './notifications/channels/gateway-template.ts'

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

/** Those of the gateway for SMS. */
export const smsVariables = {
  SMS_GATEWAY_URL: variable({
    defaultText: undefined,
    schema: matching(
      isUrlTemplate,
      'must be an address like http://… or https://…, with placeholders after the host only',
    ),
    type: 'URL template',
    isSecret: true,
    meaning: 'HTTP gateway for SMS; may hold `{to}`, `{text}`, `{id}`; unset: notices by SMS fail.',
  }),
  SMS_GATEWAY_METHOD: variable({
    defaultText: 'POST',
    schema: z.enum(['GET', 'POST', 'PUT'], 'must be GET, POST or PUT'),
    type: '`GET`, `POST` or `PUT`',
    meaning: 'How the gateway is asked.',
  }),
  SMS_GATEWAY_BODY: variable({
    defaultText: undefined,
    schema: matching(
      isBodyTemplate,
      'must be JSON with placeholders inside its texts, or a form like to={to}&text={text}',
    ),
    type: 'template',
    isSecret: true,
    meaning: 'What is sent, JSON or a form; unset: `{"to":"{to}","text":"{text}","id":"{id}"}`, or nothing with `GET`.',
  }),
  SMS_GATEWAY_HEADERS: variable({
    defaultText: undefined,
    schema: headers,
    type: 'JSON',
    isSecret: true,
    meaning: 'Headers of the request, `{"Authorization":"Bearer …"}`.',
  }),
  SMS_GATEWAY_SUCCESS: variable({
    defaultText: '2xx',
    schema: statusList,
    type: 'list',
    meaning: 'Statuses by which the gateway takes a message.',
  }),
  SMS_GATEWAY_REFUSAL: variable({
    defaultText: undefined,
    schema: regularExpression,
    type: 'regular expression',
    meaning: 'What in an answer is a refusal in spite of its status; unset: the status decides.',
  }),
  SMS_GATEWAY_IDEMPOTENT: variable({
    defaultText: 'off',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether the gateway sends what comes twice under one `{id}` or `Idempotency-Key` once only.',
  }),
  SMS_TRANSLITERATE: variable({
    defaultText: 'on',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether an SMS says `zazolc` for `zażółć`, and so holds 160 characters, not 70.',
  }),
}
