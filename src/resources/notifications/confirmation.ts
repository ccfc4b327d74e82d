import { orderCode, tryCode, type WaitingAddress } from '../../channels/confirmation-codes.ts'
import { loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { channelProblems } from '../../domain/access/limits.ts'
import { codeDigits, codeLife, maximumCodes, maximumTries } from '../../domain/notification/confirmation-code.ts'
import { unaskedLimit } from '../../domain/notification/unasked.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import type { AddressResource } from './test-messages.ts'

const shared = {
  method: 'POST',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
} as const

interface Locked {
  readonly address: WaitingAddress
  readonly isConfirmed: boolean
}

async function lockAddress(transaction: Executor, call: Call, resource: AddressResource): Promise<Locked> {
  const row: Row = await lockForWrite(call.registry.get(resource), transaction, call, 'update')
  const address = {
    id: Number(row['id']),
    address: String(row['address']),
    notification_channel_id: String(row['notification_channel_id']),
    owner_id: Number(row['owner_id']),
  }
  return { address, isConfirmed: row['is_confirmed'] === true }
}

/** `POST /{resource}/{_id}/send_confirmation_code` */
const sendCode = (resource: AddressResource): Operation => ({
  ...shared,
  tag: resource,
  id: `${resource}.send_confirmation_code`,
  path: `/${resource}/{_id}/send_confirmation_code`,
  summary: 'Send a new confirmation code to the address',
  about:
    `For an address with \`is_confirmed: false\`. The code has ${codeDigits} digits and works for ${codeLife / 60_000} minutes; it ends the one before. ` +
    'While one waits to be sent, no other is made. ' +
    `At most ${maximumCodes.own} codes go from one account to one destination in 24 hours, ${maximumCodes.account} to all its destinations; ` +
    `at most ${maximumCodes.crowd} go to one destination in an hour, and ${unaskedLimit.most} messages of all kinds in 24 hours, whosever they are, but for the e-mail address of the account itself. ` +
    'The log of notifications shows what became of the message.',
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { address, isConfirmed } = await lockAddress(transaction, call, resource)
      if (isConfirmed) refuse('address_is_confirmed')
      const limits = await loadPackage(transaction, address.owner_id, { lock: true })
      if (limits === null) refuse('not_found')
      // The request has no body that a pointer could lead into.
      const problems = channelProblems(limits, [address.notification_channel_id], '')
      refuseAny(problems.map(({ field: _field, ...problem }) => problem))
      const limit = await orderCode(transaction, address, call.nowAt)
      if (limit !== null) refuse('confirmation_code_limit_exceeded', undefined, { ...limit })
    })
    return { status: 204 }
  },
})

const confirmation = {
  code: text({
    about: 'As it arrived at the address.',
    required: true,
    multiline: true,
    maximumLength: 40,
    example: '01234567',
  }),
}

/** `POST /{resource}/{_id}/confirm` */
const confirm = (resource: AddressResource): Operation => ({
  ...shared,
  tag: resource,
  id: `${resource}.confirm`,
  path: `/${resource}/{_id}/confirm`,
  summary: 'Confirm the address with its code',
  about:
    `From then on the address is told of failures. After ${maximumTries} wrong codes a new one is needed. ` +
    'An address that is confirmed already stays so, whatever the code.',
  body: confirmation,
  async handle(call) {
    const { values, problems } = readBody(confirmation, call.body, call.nowAt)
    refuseAny(problems)
    const code = String(values['code']).replaceAll(/[\s-]/g, '')
    // Refused outside of the transaction: the try that was used up must be kept.
    const isRight = await call.database.transaction(async (transaction) => {
      const { address, isConfirmed } = await lockAddress(transaction, call, resource)
      return isConfirmed || tryCode(transaction, address, code, call.nowAt)
    })
    if (!isRight) refuse('incorrect_value', 'data.code', { detail: 'confirmation_code' })
    return { status: 204 }
  },
})

export function confirmationOperations(resource: AddressResource): readonly Operation[] {
  return [sendCode(resource), confirm(resource)]
}
