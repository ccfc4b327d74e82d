import { useQuery } from '@tanstack/react-query'
import { readPage } from '../api/client.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

/** Says what else moves when the zone of the reader's account changes. */
export function ZoneEffects() {
  const words = useWords(partWords)
  const { account } = useReader()
  const { data } = useQuery({
    queryKey: ['weekly_suspensions', 'own', account.id],
    queryFn: async ({ signal }) =>
      (await readPage(`/weekly_suspensions?service.owner_id=${account.id}&fields=id&limit=0`, signal)).total,
  })
  return (
    <span className="hint">
      {account.parent_account_id === null ? words.zoneMoves : words.zoneOfOwner}
      {data === undefined || data === 0 ? null : <b> {words.zoneMovesWeekly(data)}</b>}
    </span>
  )
}
