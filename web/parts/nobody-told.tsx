import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Service } from '../api/answers.ts'
import { read, readPage } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'

interface Asked {
  readonly service: Pick<
    Service,
    'id' | 'group_id' | 'is_archived' | 'notification_channel_ids' | 'notification_condition_ids'
  > & { readonly permissions: Readonly<Record<string, boolean>> }
}

type Naming = Pick<Service, 'contact_ids' | 'contact_group_ids' | 'escalation_id'>

/** Contacts and escalations that are told beside the addresses. */
function namedIn({ contact_ids, contact_group_ids, escalation_id }: Naming): number {
  return contact_ids.length + contact_group_ids.length + (escalation_id === null ? 0 : 1)
}

/** Says that a failure of the service would reach nobody, with a way to change that. */
export function NobodyTold({ service }: Asked) {
  const words = useWords(partWords)
  const { id, group_id, permissions } = service
  const isMuted =
    service.notification_channel_ids.length === 0 || !service.notification_condition_ids.includes('failure')
  const { data: count } = useQuery({
    queryKey: ['notification_addresses', 'of service', id],
    queryFn: async ({ signal }) => {
      const path = `/services/${id}/notification_addresses?is_confirmed=true&fields=id&limit=0`
      const { total } = await readPage(path, signal)
      if (total > 0) return total
      const names = 'contact_ids,contact_group_ids,escalation_id'
      const ofGroup = names.replaceAll(/(^|,)/g, '$1group.')
      const { group, ...own } = await read<Naming & { readonly group: Naming | null }>(
        `/services/${id}?fields=${names}&embed=${ofGroup}`,
        signal,
      )
      return namedIn(own) + (group === null ? 0 : namedIn(group))
    },
    enabled: !isMuted && !service.is_archived,
  })
  if (service.is_archived || (!isMuted && count !== 0)) return null
  const [text, to, link] = isMuted
    ? [words.toldOfNothing, `/services/${id}/edit`, words.toldOfNothingLink]
    : [words.nobodyTold, `/notifications?group_id=${group_id}`, words.nobodyToldLink]
  return (
    <p className="nobody-told row">
      <Icon name="silent" />
      <span>
        {text} {permissions['update'] === true ? <Link href={to}>{link}</Link> : null}
      </span>
    </p>
  )
}
