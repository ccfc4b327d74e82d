import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Service } from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { readTagNaming, type TagNaming } from '../tag-naming.ts'
import { nameOf, useContactGroups, useContacts, useEscalations } from './on-call-queries.ts'
import type { Naming } from './who-hears.tsx'
import { onCallWords } from './words.ts'

const WhoHears = lazy(() => import('./who-hears.tsx').then((file) => ({ default: file.WhoHears })))

interface HearsProps {
  readonly service: Pick<
    Service,
    'id' | 'name' | 'owner_id' | 'tags' | 'notification_channel_ids' | 'notification_condition_ids'
  > &
    Naming & { readonly permissions: Readonly<Record<string, boolean>> }
}

interface Told {
  readonly group: Naming | null
  readonly ofTags: readonly TagNaming[]
  /** Null: the reader may not read the account. */
  readonly owner: { readonly disable_legacy_notifications: boolean } | null
}

const embedded = 'group.contact_ids,group.contact_group_ids,group.escalation_id,owner.disable_legacy_notifications'

/** The group of the service, and how many addresses of it are told. */
function useTold({ id, tags, notification_channel_ids: channels }: HearsProps['service']) {
  return useQuery({
    queryKey: ['notification_addresses', 'that hear of', id, channels, tags],
    queryFn: async ({ signal }) => {
      const ofService = await read(`/services/${id}?fields=id&embed=${embedded}`, signal)
      const told: Told = { ...ofService, ofTags: await readTagNaming({ tags }, signal) }
      if (told.owner?.disable_legacy_notifications === true) return { ...told, addresses: 0 }
      const path = `/services/${id}/notification_addresses?is_confirmed=true&is_enabled=true&fields=id&limit=0` as const
      return { ...told, addresses: (await readPage(path, signal)).total }
    },
  })
}

type Named = Parameters<typeof nameOf>[0]

interface Names {
  readonly contacts: Named
  readonly groups: Named
  readonly escalations: Named
}

/** The names that the sentence needs. Null: they are being read. */
function useNames(): Names | null {
  const [contacts, groups, escalations] = [useContacts(), useContactGroups(), useEscalations()]
  if (contacts.isPending || groups.isPending || escalations.isPending) return null
  return { contacts: contacts.data ?? [], groups: groups.data ?? [], escalations: escalations.data ?? [] }
}

/** @param names null: the contacts are another account's, and are only counted */
function sentence(
  words: (typeof onCallWords)['en'],
  service: HearsProps['service'],
  { group, ofTags, owner, addresses }: Told & { readonly addresses: number },
  names: Names | null,
): string {
  const places: readonly TagNaming[] = [service, ...(group === null ? [] : [group]), ...ofTags]
  const contactIds = [...new Set(places.flatMap((naming) => naming.contact_ids))]
  const groupIds = [...new Set(places.flatMap((naming) => naming.contact_group_ids))]
  const people = contactIds.length + groupIds.length
  const named =
    names === null
      ? [words.people(people)].filter(() => people > 0)
      : [...contactIds.map((id) => nameOf(names.contacts, id)), ...groupIds.map((id) => nameOf(names.groups, id))]
  const isTold = service.notification_condition_ids.includes('failure')
  const whom = isTold ? [...(addresses === 0 ? [] : [words.addressesOfGroup(addresses)]), ...named] : []
  const escalationId = service.escalation_id ?? group?.escalation_id ?? null
  const escalation =
    escalationId === null ? null : names === null ? words.oneEscalation : nameOf(names.escalations, escalationId)
  const all = [...whom, ...(escalation === null ? [] : [words.thenEscalation(escalation)])]
  const hint = isTold && owner?.disable_legacy_notifications === true ? ` ${words.contactsOnly}` : ''
  return `${all.length === 0 ? words.nobody : all.join(', ')}${isTold ? '' : ` ${words.failureNotChosen}`}${hint}`
}

/**
 * A sentence about who is notified of a failure of the service. The owner's side may choose contacts and an escalation
 * for it.
 */
export function Hears({ service }: HearsProps) {
  const words = useWords(onCallWords)
  const { account } = useReader()
  const { data: told } = useTold(service)
  const isOwners = [account.id, account.parent_account_id].includes(service.owner_id)
  const names = useNames()
  const [isAsked, setAsked] = useState(false)
  if (told === undefined || names === null) return null
  return (
    <>
      <span>{sentence(words, service, told, isOwners ? names : null)}</span>{' '}
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
