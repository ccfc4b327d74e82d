import { useQuery } from '@tanstack/react-query'
import type { StatusPageSubscriber } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'

/** `name` as lists of the console want it. */
export type ShownSubscriber = StatusPageSubscriber & {
  readonly name: string
  readonly permissions: Readonly<Record<string, boolean>>
}

const collection = '/status_page_subscribers'

/** The newest whose address contains the text. */
export function useSubscribers(pageId: number, searched: string, limit: number) {
  const filter = searched === '' ? '' : `&address.contains=${encodeURIComponent(searched)}`
  const path = `${collection}?status_page_id=${pageId}&embed=permissions&sort=-id&limit=${limit}${filter}` as const
  return useQuery({
    queryKey: ['status_page_subscribers', pageId, searched, limit],
    queryFn: async ({ signal }) => {
      const { rows, total } = await readPage(path, signal)
      return { total, rows: rows.map((row): ShownSubscriber => ({ ...row, name: row.address })) }
    },
    placeholderData: (before) => before,
  })
}

export const subscriberKinds = ['email', 'webhook', 'slack', 'teams', 'discord', 'web_push'] as const

/** How many there are of each kind, and how many are not confirmed. */
export function useSubscriberCounts(pageId: number) {
  return useQuery({
    queryKey: ['status_page_subscribers', pageId, 'counts'],
    queryFn: async ({ signal }) => {
      const count = async (filter: string) => {
        const path = `${collection}?status_page_id=${pageId}&fields=id&limit=1&${filter}` as const
        return (await readPage(path, signal)).total
      }
      const waiting = await count('is_confirmed=false')
      const kinds = await Promise.all(
        subscriberKinds.map(async (kind) => ({ kind, count: await count(`kind=${kind}`) })),
      )
      return { waiting, kinds: kinds.filter((one) => one.count > 0) }
    },
  })
}
