import type { WarningTexts } from '../catalogue.ts'

export const warnings: WarningTexts = {
  no_sensor:
    'No station is assigned to the service, so it is not checked. Assign stations of its category to the group, or to the service by sensor_ids.',
  no_capable_sensor:
    'No station that could be asked can check services of this type, so nothing will be known of it. Assign another station, or ask the operator for one that has what it takes: a browser, IPv6, the right to ping.',
  no_confirmation_code:
    'No confirmation code went to the address within a day: too many had gone to it or from this account, the package lacks the channel, or nobody asked for one. The address is told nothing until it is confirmed. Ask for a code later with POST /notification_addresses/{_id}/send_confirmation_code.',
  nobody_told:
    'A failure of the service would be told to nobody: no confirmed address of its group is on its channels, and it has no contact and no escalation. Add an address to the group, or the channel of an address there to notification_channel_ids. If this is intended, leave failure out of notification_condition_ids.',
  no_service_uses_it:
    'No active service notifies this address: none in its group has this channel in its notification_channel_ids. Add the channel to the services, or move the address to the group of the services.',
  group_without_sensor:
    'Active services of this group need stations of category {category}, and the group has none, so they are not checked.',
}
