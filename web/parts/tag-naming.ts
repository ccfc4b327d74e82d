import type { Service } from '../api/answers.ts'
import { read } from '../api/client.ts'

export type TagNaming = Readonly<Record<'contact_ids' | 'contact_group_ids', readonly number[]>>

/** The people whom the tags of a service name; none where the tags are another account's. */
export function readTagNaming({ tags }: Pick<Service, 'tags'>, signal: AbortSignal): Promise<readonly TagNaming[]> {
  if (tags.length === 0) return Promise.resolve([])
  const asked = tags.map((name) => `name=${encodeURIComponent(name)}`).join('&')
  return read(`/tag_contacts?${asked}&fields=contact_ids,contact_group_ids&limit=100`, signal)
}
