import { useState } from 'react'
import type { Channel } from '../../api/answers.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { TestOutcome, useTestMessage } from '../../parts/test-message.tsx'
import { useWords } from '../../words/words.ts'
import { type ShownAddress, type ShownGroup, useChannels, useNotifyBy, useUnheard } from './address-queries.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { notificationsWords } from './words.ts'

interface ListProps {
  readonly addresses: readonly ShownAddress[]
  readonly groups: readonly ShownGroup[]
  readonly edit: (address: ShownAddress) => void
}

/** A card for each group: who hears of it, as a sentence and as a list. */
export function AddressList({ addresses, groups, edit }: ListProps) {
  const words = useWords(notificationsWords)
  return groups.map(({ id, name }) => {
    const told = addresses.filter(({ group_id }) => group_id === id)
    return (
      <section key={id} className="card" aria-labelledby={`group-${id}`}>
        <header>
          <h2 id={`group-${id}`}>{told.length === 0 ? words.nobody(name) : words.hears(told.length, name)}</h2>
        </header>
        {told.length === 0 ? null : (
          <ul className="addresses">
            {told.map((address) => (
              <li key={address.id}>
                <Row address={address} edit={edit} />
              </li>
            ))}
          </ul>
        )}
      </section>
    )
  })
}

function Row({ address, edit }: { readonly address: ShownAddress; readonly edit: ListProps['edit'] }) {
  const words = useWords(notificationsWords)
  const { data: channels = [] } = useChannels()
  const [asked, setAsked] = useState<'none' | 'confirm' | 'remove'>('none')
  const channel = channels.find((one) => one.id === address.notification_channel_id)
  const { id, permissions, is_confirmed: isConfirmed } = address
  const test = useTestMessage(id)
  const mayTest =
    isConfirmed &&
    permissions.update &&
    (address.notification_channel_id !== 'sms' || permissions.send_test_sms_notifications)
  return (
    <>
      <div className="who-hears">
        <b>{address.address}</b>
        <span className="dim">
          {channel?.name ?? address.notification_channel_id}
          {address.description === '' ? null : `, ${address.description}`}
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
        <Unheard address={address} channel={channel} />
        <TestOutcome {...test} />
      </div>
      <div className="row">
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
          request={() => ({ method: 'DELETE', path: `/notification_addresses/${id}` })}
          closed={() => setAsked('none')}
        >
          <p>{words.removeText}</p>
        </FormDialog>
      ) : null}
    </>
  )
}

interface UnheardProps {
  readonly address: ShownAddress
  readonly channel: Channel | undefined
}

/** Says that services of the group do not use the channel yet, and lets them. */
function Unheard({ address, channel }: UnheardProps) {
  const words = useWords(notificationsWords)
  const isAsked = channel !== undefined && channel.fields.length > 0
  const { data: services = [] } = useUnheard(address.group_id, address.notification_channel_id, isAsked)
  const notifying = useNotifyBy(address.notification_channel_id)
  if (channel === undefined || services.length === 0) return null
  return (
    <span className="unconfirmed">
      <Icon name="warning" />
      {words.unheard(channel.name, services.length)}{' '}
      {address.permissions.update ? (
        <button
          type="button"
          className="button small"
          disabled={notifying.isPending}
          onClick={() => notifying.mutate(services)}
        >
          {words.useIt}
        </button>
      ) : null}
      {notifying.error?.message}
    </span>
  )
}
