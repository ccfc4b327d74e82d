import {
  type GroupAddress,
  type ShownGroup,
  useChannels,
  useNotifyBy,
  useUnheard,
} from '../../parts/addresses/address-queries.ts'
import { AddressRow } from '../../parts/addresses/address-row.tsx'
import { isNaming, NamedBeside } from '../../parts/addresses/named-beside.tsx'
import { notificationsWords } from '../../parts/addresses/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { useWords } from '../../words/words.ts'

interface ListProps {
  readonly addresses: readonly GroupAddress[]
  readonly groups: readonly ShownGroup[]
  readonly edit: (address: GroupAddress) => void
}

/** A card for each group: who hears of it, as a sentence and as a list. */
export function AddressList({ addresses, groups, edit }: ListProps) {
  const words = useWords(notificationsWords)
  return groups.map((group) => {
    const { id, name } = group
    const told = addresses.filter(({ group_id }) => group_id === id)
    return (
      <section key={id} className="card" aria-labelledby={`group-${id}`}>
        <header className="spread">
          <h2 id={`group-${id}`}>
            {told.length === 0
              ? isNaming(group)
                ? words.namedAlone(name)
                : words.nobody(name)
              : words.hears(told.length, name)}
          </h2>
          <NamedBeside group={group} />
        </header>
        {told.length === 0 ? null : (
          <ul className="addresses">
            {told.map((address) => (
              <li key={address.id}>
                <AddressRow address={address} edit={edit}>
                  <Unheard address={address} />
                </AddressRow>
              </li>
            ))}
          </ul>
        )}
      </section>
    )
  })
}

/** Says that services of the group do not use the channel yet, and lets them. */
function Unheard({ address }: { readonly address: GroupAddress }) {
  const words = useWords(notificationsWords)
  const { data: channels = [] } = useChannels()
  const channel = channels.find(({ id }) => id === address.notification_channel_id)
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
