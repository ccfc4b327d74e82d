import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Service } from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { nameOf, useContactGroups, useContacts, useEscalations } from './on-call-queries.ts'
import type { Naming } from './who-hears.tsx'
import { onCallWords } from './words.ts'

const WhoHears = lazy(() => import('./who-hears.tsx').then((file) => ({ default: file.WhoHears })))

interface HearsProps {
  readonly service: Pick<Service, 'id' | 'name' | 'owner_id' | 'notification_channel_ids'> &
    Naming & { readonly permissions: Readonly<Record<string, boolean>> }
}

interface Told {
  readonly group: Naming | null
  /** Null: the reader may not read the account. */
  readonly owner: { readonly disable_legacy_notifications: boolean } | null
}

const embedded = 'group.contact_ids,group.contact_group_ids,group.escalation_id,owner.disable_legacy_notifications'

/** Of the group of the service, and how many addresses of it are told. */
function useTold({ id, notification_channel_ids: channels }: HearsProps['service']) {
  return useQuery({
    queryKey: ['notification_addresses', 'that hear of', id, channels],
    queryFn: async ({ signal }) => {
      const told = await read<Told>(`/services/${id}?fields=id&embed=${embedded}`, signal)
      if (told.owner?.disable_legacy_notifications === true) return { group: told.group, addresses: 0 }
      const path = `/services/${id}/notification_addresses?is_confirmed=true&is_enabled=true&fields=id&limit=0`
      return { group: told.group, addresses: (await readPage(path, signal)).total }
    },
  })
}

/**
 * A sentence about who is notified of a failure of the service. The owner's side may choose contacts and an escalation
 * for it.
 */
export function Hears({ service }: HearsProps) {
  const words = useWords(onCallWords)
  const { account } = useReader()
  const { data: told } = useTold(service)
  const [contacts, groups, escalations] = [useContacts().data, useContactGroups().data, useEscalations().data]
  const [isAsked, setAsked] = useState(false)
  if (told === undefined || contacts === undefined) return null
  const places: readonly Naming[] = [service, ...(told.group === null ? [] : [told.group])]
  const named = (ids: (naming: Naming) => readonly number[], all: Parameters<typeof nameOf>[0]) =>
    [...new Set(places.flatMap(ids))].map((id) => nameOf(all, id))
  const escalationId = service.escalation_id ?? told.group?.escalation_id ?? null
  const whom = [
    ...(told.addresses === 0 ? [] : [words.addressesOfGroup(told.addresses)]),
    ...named(({ contact_ids }) => contact_ids, contacts),
    ...named(({ contact_group_ids }) => contact_group_ids, groups ?? []),
  ]
  const then = escalationId === null ? '' : words.thenEscalation(nameOf(escalations ?? [], escalationId))
  const isOwners = [account.id, account.parent_account_id].includes(service.owner_id)
  return (
    <>
      <span>{whom.length === 0 && then === '' ? words.nobody : `${whom.join(', ') || words.nobody}${then}`}</span>{' '}
      {isOwners && service.permissions['update'] === true ? (
        <button type="button" className="button small" onClick={() => setAsked(true)}>
          {words.whoHears}
        </button>
      ) : null}
      {isAsked ? (
        <Suspense fallback={null}>
          <WhoHears
            name={service.name}
            path={`/services/${service.id}`}
            naming={service}
            closed={() => setAsked(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
