import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import { lockCredentials } from '../../auth/current-login.ts'
import { writeSecurityLetter } from '../../auth/letters.ts'
import type { ProvenPasskey } from '../../auth/passkeys/registration.ts'
import type { Executor } from '../../database/connect.ts'
import { countUpTo } from '../../database/count.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Row } from '../../domain/queries/condition.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { given } from './credential-holder.ts'
import { optionsAnswer, passkeyOrigin, registrationAnswer } from './passkey-fields.ts'
import { confirmLogin, proofOfLogin } from './recent-login.ts'
import { unlessRefused } from './refused.ts'

const shared = {
  method: 'POST',
  tag: 'passkeys',
  access: 'customer',
  scope: 'none',
  isBeforeSecondFactor: true,
} as const

/** `POST /passkeys/options` */
function begin(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'passkeys.options',
    path: '/passkeys/options',
    summary: 'Begin to register a passkey',
    about: 'Nothing changes until `POST /passkeys` brings the answer of the browser.',
    body: proofOfLogin,
    isBodyOptional: true,
    answers: optionsAnswer('parseCreationOptionsFromJSON'),
    async handle(call) {
      await confirmLogin(authenticator, call)
      const begun = await authenticator.passkeys.beginRegistration(call.caller, passkeyOrigin(call))
      return { status: 200, body: unlessRefused(begun).options, headers: secretHeaders }
    },
  }
}

const body = {
  name: text({ required: true, minimumLength: 1, maximumLength: 200, example: 'Telephone' }),
  response: registrationAnswer,
}

/** Adds the passkey. Problems: limit_exceeded, value_is_not_unique. */
async function store(transaction: Executor, call: Call, name: string, passkey: ProvenPasskey): Promise<Row> {
  const { caller } = call
  const [owner, parent] = [caller.account_id, caller.is_sub_account ? caller.primary_account_id : null]
  await lockCredentials(transaction, owner)
  const place = { table: 'passkeys', column: 'owner_id', value: owner }
  if ((await countUpTo(transaction, place, countLimits.passkeys)) >= countLimits.passkeys) {
    refuse('limit_exceeded', undefined, { limit: 'passkeys', value: countLimits.passkeys })
  }
  const [row] = await transaction.query<Row>(sql`
    insert into passkeys (owner_id, parent_account_id, name, credential_id, public_key, sign_count, user_handle, rp_id,
      transports, is_synced, created_at)
    values (${owner}, ${parent}, ${name}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.signCount},
      ${passkey.userHandle}, ${passkey.rpId}, ${[...passkey.transports]}::text[], ${passkey.isSynced},
      ${new Date(call.nowAt)})
    on conflict (credential_id) do nothing
    returning id, owner_id, name, rp_id, is_synced, created_at, last_used_at`)
  return row ?? refuse('value_is_not_unique', 'data.response')
}

/** `POST /passkeys` */
function register(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'passkeys.register',
    path: '/passkeys',
    summary: 'Register a passkey',
    about: 'With the answer to `POST /passkeys/options` of the same session. The account gets a mail about it.',
    body,
    answers: {
      201: {
        about: 'The passkey.',
        schema: {
          ...{ type: 'object', required: ['id'], properties: { id: { type: 'integer', maximum: 2 ** 31 - 1 } } },
          example: { id: 1 },
        },
        headers: { Location: 'Address of the passkey.' },
      },
    },
    async handle(call) {
      const values = given(body, call)
      const answer = { ...passkeyOrigin(call), response: values['response'] }
      const { passkey } = unlessRefused(await authenticator.passkeys.proveRegistration(call.caller, answer))
      if (passkey === null) return refuse('incorrect_value', 'data.response', { detail: 'passkey' })
      const id = await call.database.transaction(async (transaction) => {
        call.trail?.expect()
        const name = String(values['name'])
        const row = await store(transaction, call, name, passkey)
        const accountId = call.caller.account_id
        await writeSecurityLetter(transaction, { accountId, kind: 'passkey_added', facts: { name }, now: call.nowAt })
        call.trail?.note({ resource: call.registry.get('passkeys'), before: null, after: row })
        return Number(row['id'])
      })
      return { status: 201, body: { id }, headers: { Location: `${call.baseUrl}/passkeys/${id}` } }
    },
  }
}

/** Making a passkey takes two requests: the browser answers a challenge in between. */
export function passkeyRegistration(authenticator: Authenticator): readonly Operation[] {
  return [begin(authenticator), register(authenticator)]
}
