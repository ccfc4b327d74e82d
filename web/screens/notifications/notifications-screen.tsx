import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { AddressForm } from './address-form.tsx'
import { AddressList } from './address-list.tsx'
import { type ShownAddress, useAddresses, useGroupsOfAddresses } from './address-queries.ts'
import { Deliveries } from './deliveries.tsx'
import { notificationsWords } from './words.ts'
import './notifications.css'

/** Who is told of which group, and whether what was sent arrived. */
export function NotificationsScreen() {
  const words = useWords(notificationsWords)
  const addresses = useAddresses()
  const groups = useGroupsOfAddresses()
  const dialog = useRef<HTMLDialogElement>(null)
  // Null: a new one. The number lets every opening begin anew.
  const [edited, setEdited] = useState<{ readonly number: number; readonly address: ShownAddress | null }>({
    number: 0,
    address: null,
  })
  useEffect(() => showTitle(words.title), [words])
  const edit = (address: ShownAddress | null) => {
    setEdited(({ number }) => ({ number: number + 1, address }))
    dialog.current?.showModal()
  }
  const mayAdd = groups.data?.some(({ permissions }) => permissions['create_notification_addresses'] === true) === true
  const error = addresses.error ?? groups.error
  return (
    <div className="notifications stack">
      <div className="spread">
        <div>
          <h1>{words.title}</h1>
          <p className="dim">{words.about}</p>
        </div>
        {mayAdd ? (
          <button type="button" className="button primary" onClick={() => edit(null)}>
            <Icon name="add" />
            {words.add}
          </button>
        ) : null}
      </div>
      {addresses.data === undefined || groups.data === undefined ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void Promise.all([addresses.refetch(), groups.refetch()])} />
        )
      ) : (
        <>
          {addresses.data.length === 0 ? (
            <div className="empty">
              <h2>{words.noneTitle}</h2>
              <p>{words.noneText}</p>
            </div>
          ) : (
            <AddressList addresses={addresses.data} groups={groups.data} edit={edit} />
          )}
          <dialog ref={dialog} aria-labelledby="address-title">
            <AddressForm
              key={edited.number}
              address={edited.address}
              groups={groups.data}
              close={() => dialog.current?.close()}
            />
          </dialog>
        </>
      )}
      <Deliveries />
    </div>
  )
}
