import { useRef } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { TestOutcome, useTestMessage } from '../../parts/test-message.tsx'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { type ShownAddress, type ShownGroup, useChannels } from './address-queries.ts'
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
  const removal = useRef<HTMLDialogElement>(null)
  const confirmation = useRef<HTMLDialogElement>(null)
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
          {channels.find((channel) => channel.id === address.notification_channel_id)?.name ??
            address.notification_channel_id}
          {address.description === '' ? null : `, ${address.description}`}
        </span>
        {isConfirmed ? null : (
          <span className="unconfirmed">
            <Icon name="warning" />
            {words.unconfirmed}
          </span>
        )}
        <TestOutcome {...test} />
      </div>
      <div className="row">
        {!isConfirmed && permissions.update ? (
          <button type="button" className="button small" onClick={() => confirmation.current?.showModal()}>
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
          <button type="button" className="button small" onClick={() => removal.current?.showModal()}>
            {words.remove}
          </button>
        ) : null}
      </div>
      <dialog ref={confirmation} aria-labelledby={`confirm-${id}`}>
        <ConfirmForm address={address} close={() => confirmation.current?.close()} />
      </dialog>
      <dialog ref={removal} aria-labelledby={`remove-${id}`}>
        <RemoveForm address={address} close={() => removal.current?.close()} />
      </dialog>
    </>
  )
}

function RemoveForm({ address, close }: { readonly address: ShownAddress; readonly close: () => void }) {
  const words = useWords(notificationsWords)
  const parts = useWords(partWords)
  const { mutate, isPending, error } = useChange()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ method: 'DELETE', path: `/notification_addresses/${address.id}` }, { onSuccess: close })
      }}
    >
      <h2 id={`remove-${address.id}`}>{words.removeTitle(address.address)}</h2>
      <p>{words.removeText}</p>
      {error === null ? null : (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button danger" disabled={isPending}>
          {words.remove}
        </button>
        <button type="button" className="button" onClick={close}>
          {parts.cancel}
        </button>
      </div>
    </form>
  )
}
