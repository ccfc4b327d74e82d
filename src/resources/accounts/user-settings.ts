import sql from 'sql-template-tag'
import { isStorableJson } from '../../domain/input/storable.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { json } from '../../rest/fields.ts'
import { readParent } from '../../rest/locate.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'

const maximumValueBytes = 8192
const maximumSettings = 100
const keyPattern = /^[A-Za-z0-9._-]{1,100}$/

const path = '/user_data/{_id}/settings/{_key}'
const shared = { path, tag: 'user_data', access: 'customer', parameters: pathParameters(path) } as const

/** A text that can be no key is the key of nothing. */
function keyOf({ parameters }: Call): string {
  const key = parameters['_key'] ?? ''
  return keyPattern.test(key) ? key : refuse('not_found')
}

const readSetting: Operation = {
  ...shared,
  id: 'user_data.read_setting',
  method: 'GET',
  summary: 'Read one setting',
  answers: { 200: { about: 'The value, any JSON.', schema: { example: { theme: 'dark' } } } },
  async handle(call) {
    const owner = await readParent(call.registry.get('user_data'), call)
    const [setting] = await call.database.query<{ value: unknown }>(sql`
      select value from user_settings where account_id = ${owner['id']} and key = ${keyOf(call)}`)
    return { status: 200, body: setting === undefined ? refuse('not_found') : setting.value }
  },
}

/** The value as it is stored. */
function writtenValue(value: unknown): string {
  if (value === undefined) return refuse('missing_value', 'data')
  if (!isStorableJson(value)) return refuse('incorrect_value', 'data', { detail: 'forbidden_characters' })
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > maximumValueBytes)
    return refuse('value_too_long', 'data', { maximum: maximumValueBytes })
  return text
}

const writeSetting: Operation = {
  ...shared,
  id: 'user_data.write_setting',
  method: 'PUT',
  summary: 'Create or modify one setting',
  about: `The body is the value itself, any JSON of at most ${maximumValueBytes} bytes. A key has 1 to 100 of \`a-z A-Z 0-9 . _ -\`; there are at most ${maximumSettings} settings.`,
  body: json({ about: 'The value.', example: { theme: 'dark' } }),
  answers: noContent,
  async handle(call) {
    const key = call.parameters['_key'] ?? ''
    await call.database.transaction(async (transaction) => {
      // The lock on the owner's row holds the count.
      const owner = await lockForWrite(call.registry.get('user_data'), transaction, call, 'update')
      if (!keyPattern.test(key)) refuse('incorrect_value', undefined, { allowed: 'a-z A-Z 0-9 . _ -' })
      const value = writtenValue(call.body)
      const [others] = await transaction.query<{ count: number }>(sql`
        select count(*)::int as count from user_settings where account_id = ${owner['id']} and key <> ${key}`)
      if ((others?.count ?? 0) >= maximumSettings) refuse('too_many_settings', undefined, { maximum: maximumSettings })
      await transaction.execute(sql`
        insert into user_settings (account_id, key, value) values (${owner['id']}, ${key}, ${value})
        on conflict (account_id, key) do update set value = excluded.value`)
    })
    return { status: 204 }
  },
}

const removeSetting: Operation = {
  ...shared,
  id: 'user_data.remove_setting',
  method: 'DELETE',
  summary: 'Delete one setting',
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const owner = await lockForWrite(call.registry.get('user_data'), transaction, call, 'update')
      const removed = await transaction.execute(sql`
        delete from user_settings where account_id = ${owner['id']} and key = ${keyOf(call)}`)
      if (removed === 0) refuse('not_found')
    })
    return { status: 204 }
  },
}

/** `/user_data/{_id}/settings/{_key}`: free key-value pairs of the user's (answers §4). */
export const userSettings: readonly Operation[] = [readSetting, writeSetting, removeSetting]
