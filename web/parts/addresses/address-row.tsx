import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { useWords } from '../../words/words.ts'
import { FormDialog } from '../form-dialog.tsx'
import { Icon } from '../icon.tsx'
import { ManagedMark } from '../managed.tsx'
import { TestOutcome, useTestMessage } from '../test-message.tsx'
import { UsedBy } from '../uses/used-by.tsx'
import { collectionOf, deliveriesPathOf, pathOf, type ShownAddress, useChannels } from './address-queries.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { notificationsWords } from './words.ts'

interface RowProps<Address extends ShownAddress> {
  readonly address: Address
  readonly edit: (address: Address) => void
  /** Further content. */
  readonly children?: ReactNode
}

/** Scrolls to the address that the search of the console leads to (`?address=7`), and gives it the focus. */
function usePointedAt(id: number) {
  const line = useRef<HTMLDivElement>(null)
  const [search] = useSearchParams()
  const isPointedAt = search.get('address') === String(id)
  useEffect(() => {
    if (isPointedAt) line.current?.focus()
  }, [isPointedAt])
  return line
}

/** One address: what it is, whether it hears, and what the reader may do with it. */
export function AddressRow<Address extends ShownAddress>({ address, edit, children }: RowProps<Address>) {
  const words = useWords(notificationsWords)
  const { data: channels = [] } = useChannels()
  const [asked, setAsked] = useState<'none' | 'confirm' | 'remove'>('none')
  const channel = channels.find((one) => one.id === address.notification_channel_id)
  const { id, permissions, is_confirmed: isConfirmed } = address
  const path = pathOf(address)
  const line = usePointedAt(id)
  const test = useTestMessage(id, collectionOf(address))
  const mayTest =
    isConfirmed &&
    permissions.update &&
    (address.notification_channel_id !== 'sms' || permissions.send_test_sms_notifications)
  return (
    <>
      <div ref={line} className="who-hears" tabIndex={-1}>
        <b>{address.address}</b>
        <span className="dim">
          {channel?.name ?? address.notification_channel_id}
          {address.description === '' ? null : `, ${address.description}`}
          {'tags' in address && address.tags !== null ? `, ${words.onlyWith(address.tags)}` : null}
        </span>
        {isConfirmed ? null : (
          <span className="unconfirmed">
            <Icon name="warning" />
            {words.unconfirmed}
          </span>
        )}
        {address.is_enabled ? null : (
          <span className="unconfirmed">
            <Icon name="warning" />
            {address.disabled_reason ?? words.disabled}
          </span>
        )}
        <ManagedMark of={address} />
        {children}
        <TestOutcome {...test} />
      </div>
      <div className="row">
        {channel === undefined || channel.fields.length === 0 ? null : (
          <Link href={deliveriesPathOf(address)} className="button small">
            {words.deliveries}
          </Link>
        )}
        {!isConfirmed && permissions.update ? (
          <button type="button" className="button small" onClick={() => setAsked('confirm')}>
            {words.confirm}
          </button>
        ) : null}
        {mayTest ? (
          <button type="button" className="button small" disabled={test.isPending} onClick={() => test.mutate()}>
            {words.test}
          </button>
        ) : null}
        {permissions.update ? (
          <button type="button" className="button small" onClick={() => edit(address)}>
            {words.edit}
          </button>
        ) : null}
        {permissions.delete ? (
          <button type="button" className="button small" onClick={() => setAsked('remove')}>
            {words.remove}
          </button>
        ) : null}
      </div>
      {asked === 'confirm' ? <ConfirmForm address={address} closed={() => setAsked('none')} /> : null}
      {asked === 'remove' ? (
        <FormDialog
          title={words.removeTitle(address.address)}
          action={words.remove}
          isDangerous
          managed={address}
          request={() => callTo('DELETE', path)}
          closed={() => setAsked('none')}
        >
          <p>{words.removeText}</p>
          {'group_id' in address && address.group_id !== null ? (
            <UsedBy
              lists={{
                services: `/services?group_id=${address.group_id}&is_archived=false&notification_channel_ids=${address.notification_channel_id}`,
              }}
            />
          ) : null}
        </FormDialog>
      ) : null}
    </>
  )
}
