import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Service } from '../api/answers.ts'
import { read, readPage } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { readTagNaming } from './tag-naming.ts'
import { partWords } from './words.ts'

interface Asked {
  readonly service: Pick<
    Service,
    'id' | 'group_id' | 'is_archived' | 'tags' | 'notification_channel_ids' | 'notification_condition_ids'
  > & { readonly permissions: Readonly<Record<string, boolean>> }
}

const naming = ['contact_ids', 'contact_group_ids', 'escalation_id']
const embedded = [...naming.map((name) => `group.${name}`), 'owner.disable_legacy_notifications']

/**
 * True if a failure of the service would reach somebody. Channels choose among the addresses of the group alone,
 * conditions among those and the contacts. An escalation notifies in any case.
 */
async function reachesSomebody(
  { id, tags, notification_condition_ids: conditions }: Asked['service'],
  signal: AbortSignal,
): Promise<boolean> {
  const told = await read(`/services/${id}?fields=${naming.join()}&embed=${embedded.join()}`, signal)
  const places = [told, ...(told.group === null ? [] : [told.group])]
  if (places.some(({ escalation_id }) => escalation_id !== null)) return true
  if (!conditions.includes('failure')) return false
  const people = [...places, ...(await readTagNaming({ tags }, signal))]
  if (people.some(({ contact_ids, contact_group_ids }) => contact_ids.length + contact_group_ids.length > 0))
    return true
  if (told.owner?.disable_legacy_notifications === true) return false
  const path = `/services/${id}/notification_addresses?is_confirmed=true&fields=id&limit=0` as const
  return (await readPage(path, signal)).total > 0
}

/** Says that a failure of the service would reach nobody, with a way to change that. */
export function NobodyTold({ service }: Asked) {
  const words = useWords(partWords)
  const {
    id,
    group_id,
    permissions,
    notification_channel_ids: channels,
    notification_condition_ids: conditions,
  } = service
  const { data: isHeard } = useQuery({
    queryKey: ['notification_addresses', 'of service', id, channels, conditions, service.tags],
    queryFn: ({ signal }) => reachesSomebody(service, signal),
    enabled: !service.is_archived,
  })
  if (service.is_archived || isHeard !== false) return null
  const isMuted = channels.length === 0 || !conditions.includes('failure')
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
