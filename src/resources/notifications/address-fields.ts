import sql from 'sql-template-tag'
import { type AddressWarningId, warningsOfAddresses } from '../../channels/address-warnings.ts'
import { shownSettings } from '../../channels/addressing.ts'
import { channelIds, integrationOf } from '../../channels/index.ts'
import type { Row } from '../../domain/queries/condition.ts'
import { type StoredSettings, usualSettings } from '../../domain/services/extended-settings.ts'
import { setSecretsField } from '../../rest/configuration.ts'
import { boolean, identifier, json, list, text } from '../../rest/fields.ts'
import { deliveryErrorText } from '../../wording/delivery-errors.ts'
import { addressWarnings, warningOf } from '../services/warnings.ts'

const anyObject = { type: 'object', additionalProperties: true } as const
const anySettings = { written: anyObject, shown: anyObject } as const

function formatsOf(row: Row) {
  return integrationOf(String(row['notification_channel_id']))?.settings ?? []
}

function secretsOf(row: Row): readonly string[] {
  return formatsOf(row).flatMap(({ setting_id: id, isSecret }) => (isSecret ? [id] : []))
}

/** How files of configuration as code hold an address. One that has fields makes its `address` from them. */
export const configuredAddress = {
  merged: ['settings'],
  secrets: (row: Row) => secretsOf(row).map((id) => `settings.${id}`),
  usual: (row: Row) => [
    ...(formatsOf(row).length > 0 ? ['address'] : ['settings']),
    ...usualSettings(formatsOf(row), row['settings']).map((id) => `settings.${id}`),
  ],
  title: 'description',
} as const

/** The fields of every address that receives messages, whoever owns it. */
export const addressFields = {
  id: identifier(),
  address: text({
    about:
      'E-mail address, phone number or account, as the channel has it; needed by the channels that have no fields. The others make it from `settings`, or take a URL of theirs here, from which they read the settings (and, where `notification_channel_id` is left out, the channel).',
    typical: true,
    minimumLength: 1,
    maximumLength: 2048,
    filter: true,
    contains: true,
    sort: true,
    example: 'alice@example.com',
  }),
  description: text({
    about: 'For people.',
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'On call',
  }),
  notification_channel_id: text({
    about: 'Element of the dictionary notification_channels; may be left out where `address` is a URL that tells it.',
    typical: true,
    oneOf: channelIds,
    filter: true,
    sort: true,
    example: 'email',
  }),
  settings: json({
    about:
      'By the `fields` of the channel in the dictionary notification_channels; empty for the channels that have none. A PUT merges; null resets to the default. Secrets are shown as null; null keeps a secret, an empty text removes it.',
    schema: anySettings,
    stored: 'json',
    example: {},
    needs: ['notification_channel_id'],
    shown: (value, row) => shownSettings(String(row['notification_channel_id']), value as StoredSettings),
  }),
  set_secrets: setSecretsField(({ alias }) => sql`array(select jsonb_object_keys(${alias}.settings))`, {
    needs: ['notification_channel_id'],
    secretsOf,
  }),
  is_enabled: boolean({ about: 'False: nothing is sent there.', filter: true, sort: true, example: true }),
  disabled_reason: text({
    about: 'Why the program switched it off; null while it is on, or when a person did.',
    nullable: true,
    readOnly: true,
    computed: true,
    shown: (reason, _row, language) => (reason === null ? null : deliveryErrorText(String(reason), language)),
    example: null,
  }),
  is_confirmed: boolean({
    about:
      'False: the address is told nothing until its code comes back by `POST …/{_id}/confirm`. A change of `address` or `notification_channel_id` makes it false where addresses are confirmed.',
    readOnly: true,
    computed: true,
    filter: true,
    sort: true,
    example: true,
  }),
  warnings: list(warningOf(['no_confirmation_code', 'no_service_uses_it']), {
    about: 'Why the address is told nothing: it cannot be confirmed now, or no active service notifies it; else empty.',
    readOnly: true,
    computed: true,
    example: [],
    column: () => sql`null::jsonb`,
    attached: warningsOfAddresses,
    shown: (ids, _row, language) => addressWarnings((ids ?? []) as readonly AddressWarningId[], language),
  }),
}
