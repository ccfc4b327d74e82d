import type { Operation } from '../../rest/call.ts'
import type { Fields } from '../../rest/fields.ts'
import type { AddressOptions } from './address-write.ts'
import { confirmationOperations } from './confirmation.ts'
import { type PreviewRequestTo, requestPreview } from './request-preview.ts'
import { rotateSecretOf } from './rotate-secret.ts'
import { type AddressResource, sendTestNotification, sendTestSmsOf } from './test-messages.ts'
import { addressTrial } from './trial.ts'

export interface AddressActionOptions extends AddressOptions {
  readonly previewRequest: PreviewRequestTo
}

/** The operations that addresses of groups and addresses of contacts have in common. */
export function addressActions(
  resource: AddressResource,
  fields: Fields,
  { mustConfirm, previewRequest }: AddressActionOptions,
): readonly Operation[] {
  return [
    sendTestSmsOf(resource),
    sendTestNotification(resource),
    rotateSecretOf(resource),
    addressTrial(resource, fields, mustConfirm),
    requestPreview(resource, fields, previewRequest),
    ...confirmationOperations(resource),
  ]
}
