import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { AddressForm } from '../../parts/addresses/address-form.tsx'
import { type GroupAddress, useAddresses, useGroupsOfAddresses } from '../../parts/addresses/address-queries.ts'
import { isNaming } from '../../parts/addresses/named-beside.tsx'
import { notificationsWords } from '../../parts/addresses/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { AccountSettings, ContactsAlone } from './account-settings.tsx'
import { AddressList } from './address-list.tsx'
import { Deliveries } from './deliveries.tsx'
import { TagList } from './tag-list.tsx'
import '../../parts/addresses/addresses.css'

/** The recipients of each group's notifications, and their deliveries. */
export function NotificationsScreen() {
  const words = useWords(notificationsWords)
  const addresses = useAddresses()
  const [search] = useSearchParams()
  const groups = useGroupsOfAddresses()
  /** Which one is edited; null: a new one. */
  const [edited, setEdited] = useState<{ readonly address: GroupAddress | null } | null>(null)
  useEffect(() => showTitle(words.title), [words])
  const edit = (address: GroupAddress | null) => setEdited({ address })
  const mayAdd = groups.data?.some(({ permissions }) => permissions['create_notification_addresses'] === true) === true
  const error = addresses.error ?? groups.error
  return (
    <div className="notifications stack">
      <div className="spread">
        <div>
          <h1>{words.title}</h1>
          <p className="dim">{words.about}</p>
        </div>
        <div className="row">
          <Link href="/notifications/templates" className="button">
            {words.templates}
          </Link>
          {mayAdd ? (
            <button type="button" className="button primary" onClick={() => edit(null)}>
              <Icon name="add" />
              {words.add}
            </button>
          ) : null}
        </div>
      </div>
      {addresses.data === undefined || groups.data === undefined ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void Promise.all([addresses.refetch(), groups.refetch()])} />
        )
      ) : (
        <>
          {addresses.data.length === 0 && !groups.data.some(isNaming) ? (
            <div className="empty">
              <h2>{words.noneTitle}</h2>
              <p>{words.noneText}</p>
            </div>
          ) : null}
          <ContactsAlone />
          <AddressList addresses={addresses.data} groups={groups.data} edit={edit} />
          <TagList />
          {edited === null ? null : (
            <AddressForm
              address={edited.address}
              place={{
                collection: 'notification_addresses',
                groups: groups.data,
                groupAsked: Number(search.get('group_id')),
              }}
              closed={() => setEdited(null)}
            />
          )}
        </>
      )}
      <AccountSettings />
      <Deliveries />
    </div>
  )
}
