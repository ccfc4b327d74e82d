import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Service } from '../api/answers.ts'
import { readPage } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'

interface Asked {
  readonly service: Pick<
    Service,
    'id' | 'group_id' | 'is_archived' | 'notification_channel_ids' | 'notification_condition_ids'
  > & { readonly permissions: Readonly<Record<string, boolean>> }
}

/** Says that a failure of the service would reach nobody, with a way to change that. */
export function NobodyTold({ service }: Asked) {
  const words = useWords(partWords)
  const { id, group_id, permissions } = service
  const isMuted =
    service.notification_channel_ids.length === 0 || !service.notification_condition_ids.includes('failure')
  const { data: count } = useQuery({
    queryKey: ['notification_addresses', 'of service', id],
    queryFn: async ({ signal }) =>
      (await readPage(`/services/${id}/notification_addresses?is_confirmed=true&fields=id&limit=0`, signal)).total,
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
