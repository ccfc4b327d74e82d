import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import { isUsernameFree } from '../../auth/callers.ts'
import { createAccount } from '../../auth/create-account.ts'
import { writeLetter } from '../../auth/letters.ts'
import { activateByLink, forgetUnactivated } from '../../auth/links.ts'
import { showActivation } from '../../auth/pages/link-pages.ts'
import { pageHeaders, renderPage } from '../../auth/pages/page.ts'
import { hashPassword } from '../../auth/password.ts'
import type { Executor } from '../../database/connect.ts'
import type { AccountDefaults } from '../../domain/access/account-defaults.ts'
import { usernamePattern } from '../../domain/access/credentials.ts'
import { timeZoneIds } from '../../domain/calendars/time-zones.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Answer, Call, Operation } from '../../rest/call.ts'
import { integer, type RowOf, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { createdSchema } from '../../rest/routes.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import type { Account } from './account-write.ts'
import { newPassword } from './credential-fields.ts'
import { unlessRefused } from './refused.ts'
import { registeredUserData } from './user-data.ts'

const registration = {
  username: text({ required: true, pattern: usernamePattern, detail: 'username', maximumLength: 64, example: 'alice' }),
  password: text({ ...newPassword, required: true }),
  name: text({ required: true, minimumLength: 1, maximumLength: 200, example: 'Alice' }),
  package_id: integer({ about: 'One with is_available_for_new_accounts.', required: true, example: 2 }),
  language_id: text({
    about: 'Default: the language that `Accept-Language` prefers, else that of the installation.',
    oneOf: languageIds,
    example: 'pl',
  }),
  time_zone_id: text({
    about: 'Default: the time zone of the installation.',
    oneOf: timeZoneIds,
    example: 'europe_warsaw',
  }),
  user_data: registeredUserData,
}

type Registration = RowOf<typeof registration> & Pick<Account, 'language_id' | 'user_data'>

interface Facts {
  readonly isUsernameFree: boolean
  /** Null: there is no such package for new accounts. */
  readonly distributionId: number | null
}

async function factsOf(transaction: Executor, wanted: Registration): Promise<Facts> {
  const [limits] = await transaction.query<{ distribution_id: number }>(sql`
    select distribution_id from packages
    where id = ${wanted.package_id} and is_available_for_new_accounts and not is_for_sub_accounts`)
  return {
    isUsernameFree: await isUsernameFree(transaction, wanted.username),
    distributionId: limits?.distribution_id ?? null,
  }
}

function problemsOf(known: Facts): readonly Problem[] {
  return [
    ...(known.isUsernameFree ? [] : [{ error: 'value_is_not_unique', field: 'data.username' }]),
    ...(known.distributionId === null
      ? [{ error: 'incorrect_value', field: 'data.package_id', facts: { detail: 'package' } }]
      : []),
  ]
}

async function store(transaction: Executor, wanted: Registration, passwordHash: string, now: number): Promise<number> {
  await forgetUnactivated(transaction, now)
  const known = await factsOf(transaction, wanted)
  refuseAny(problemsOf(known))
  const { email_address: emailAddress, ...personalData } = wanted.user_data
  const accountId = await createAccount(transaction, {
    distributionId: known.distributionId ?? 0,
    packageId: wanted.package_id,
    parentAccountId: null,
    username: wanted.username,
    name: wanted.name,
    emailAddress,
    personalData,
    passwordHash,
    languageId: wanted.language_id,
    timeZoneId: wanted.time_zone_id,
    canShareGroups: false,
    canCreateSubaccounts: false,
    isActivated: false,
    now,
  })
  await writeLetter(transaction, { accountId, kind: 'activation', now })
  return accountId
}

function register(authenticator: Authenticator, defaults: AccountDefaults | null): Operation {
  return {
    id: 'accounts.register',
    method: 'POST',
    path: '/accounts/register',
    tag: 'accounts',
    summary: 'Register a new account',
    about: 'Mails an activation link. Forbidden where the operator has not opened registration.',
    access: 'public',
    body: registration,
    answers: {
      201: {
        about: 'Made; it waits for its activation.',
        schema: createdSchema,
        headers: { Location: 'Address of the account.' },
      },
    },
    refusals: [401, 403],
    async handle(call) {
      if (defaults === null) refuse('forbidden')
      const { values, problems } = readBody(registration, call.body, call.nowAt)
      refuseAny(problems)
      unlessRefused((await authenticator.admit(call.ipAddress)) ?? {})
      // Every field was read by its declaration.
      const given = values as unknown as Registration
      const wanted = {
        ...given,
        language_id: given.language_id ?? call.askedLanguage ?? defaults.languageId,
        time_zone_id: given.time_zone_id ?? defaults.timeZoneId,
      }
      const passwordHash = await hashPassword(wanted.password)
      const id = await call.database.transaction((transaction) => store(transaction, wanted, passwordHash, call.nowAt))
      return { status: 201, body: { id }, headers: { Location: `${call.baseUrl}/accounts/${id}` } }
    },
  }
}

/** Programs that follow links in mails ask for pages, too: the page has a button, and showing it changes nothing. */
async function activationPage(
  { database, language, nowAt }: Call,
  link: { readonly accountId: number; readonly token: string },
): Promise<Answer> {
  const { status, page } = await showActivation(database, { ...link, language, now: nowAt })
  return { status, bytes: Buffer.from(renderPage(page)), headers: pageHeaders(page) }
}

const activate: Operation = {
  id: 'accounts.activate',
  method: 'GET',
  path: '/accounts/{_id}/activate',
  tag: 'accounts',
  summary: 'Activate a registered account',
  about:
    'With the token of the activation letter. Activating again changes nothing. Browsers get a page whose button activates; the link in the letter leads to the same page.',
  access: 'open',
  parameters: [
    ...pathParameters('{_id}'),
    { name: 'token', in: 'query', about: 'As mailed.', schema: { type: 'string' }, example: 'TOKEN', isRequired: true },
  ],
  answers: {
    200: {
      about: 'The account is active.',
      schema: {
        type: 'object',
        required: ['id', 'is_activated'],
        properties: { id: { type: 'integer', maximum: maximumInteger }, is_activated: { type: 'boolean' } },
        example: { id: 1, is_activated: true },
      },
      others: { 'text/html': { type: 'string' } },
    },
  },
  async handle(call) {
    const written = call.parameters['_id'] ?? ''
    const accountId = /^\d{1,9}$/.test(written) ? Number(written) : 0
    const token = call.query.get('token') ?? ''
    if (call.prefersPage) return activationPage(call, { accountId, token })
    const username = await activateByLink(call.database, { accountId, token, now: call.nowAt })
    if (username === null) refuse('not_found')
    return {
      status: 200,
      body: { id: accountId, is_activated: true },
      headers: { Vary: pageHeaders({})['Vary'] ?? '' },
    }
  },
}

/** Self-registration (specification: Accounts and users; answers §4). Without defaults it is closed. */
export function registrationOf(authenticator: Authenticator, defaults: AccountDefaults | null): readonly Operation[] {
  return [register(authenticator, defaults), activate]
}
