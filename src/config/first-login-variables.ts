import * as z from 'zod'
import { isPassword, isUsername } from '../domain/access/credentials.ts'
import { readTimeZone } from '../domain/calendars/time-zones.ts'
import { isMailbox } from '../domain/notification/mailbox.ts'
import { matching, split, text, variable } from './variable.ts'

const username = matching(isUsername, 'must be 3 to 64 characters of a-z A-Z 0-9 . _ @ -')
const password = matching(isPassword, 'must be 8 to 256 characters')

const addressList = text
  .transform(split)
  .refine((list) => list.every((one) => isMailbox(one)), 'must be a comma list of e-mail addresses')

const timeZone = text
  .refine(
    (written) => readTimeZone(written) !== undefined,
    'must be a time zone like Europe/Warsaw or an element of the dictionary time_zones like europe_warsaw',
  )
  .transform((written) => readTimeZone(written) ?? 'utc')

/** Variables of the operator and the first account. */
export const firstLoginVariables = {
  ADMIN_USERNAME: variable({
    defaultText: 'admin',
    wrongText: 'x',
    schema: username,
    type: 'text',
    meaning: 'Username of the first administrator, created at the first start.',
  }),
  ADMIN_PASSWORD: variable({
    defaultText: undefined,
    wrongText: 'short',
    schema: password,
    type: 'text',
    isSecret: true,
    meaning: 'The first administrator’s password; unset: generated and printed once.',
  }),
  ADMIN_EMAIL: variable({
    defaultText: undefined,
    wrongText: 'root@example.com, root',
    schema: addressList,
    type: 'e-mail addresses',
    meaning:
      'Recipients of mails about lost and returned sensors and gateways, and about a full disk of the database; unset: they are only logged.',
  }),
  ADMIN_LANGUAGE: variable({
    defaultText: 'en',
    wrongText: 'de',
    schema: z.enum(['en', 'pl'], 'must be en or pl'),
    type: '`en` or `pl`',
    meaning: 'Language of mails to `ADMIN_EMAIL`.',
  }),
  ACCOUNT_USERNAME: variable({
    defaultText: 'user',
    wrongText: 'no spaces',
    schema: username,
    type: 'text',
    meaning: 'Username of the first customer account, created at the first start.',
  }),
  ACCOUNT_PASSWORD: variable({
    defaultText: undefined,
    wrongText: 'short',
    schema: password,
    type: 'text',
    isSecret: true,
    meaning: 'The first account’s password; unset: generated and printed once.',
  }),
  ACCOUNT_LANGUAGE: variable({
    defaultText: undefined,
    wrongText: 'de',
    schema: z.enum(['en', 'pl'], 'must be en or pl'),
    type: '`en` or `pl`',
    meaning:
      'Language of the first account, and of accounts whose request prefers none; unset: the machine’s (`LC_ALL`, `LC_MESSAGES`, `LANG`), otherwise `en`.',
  }),
  ACCOUNT_TIME_ZONE: variable({
    defaultText: undefined,
    wrongText: 'Warsaw',
    schema: timeZone,
    type: 'time zone',
    meaning:
      'Time zone of the first account, and of accounts whose request names none, like `Europe/Warsaw`; unset: the machine’s.',
  }),
}
