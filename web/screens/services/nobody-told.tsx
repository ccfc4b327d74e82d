import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { readPage } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { servicesWords } from './words.ts'

/** Services that fail in silence: said until somebody is told, or until the reader puts it aside. */
export function NobodyTold({ hasServices }: { readonly hasServices: boolean }) {
  const words = useWords(servicesWords)
  const { account, preferences, choose } = useReader()
  const asks = hasServices && !account.is_read_only && !preferences.isSilenceMeant
  const { data } = useQuery({
    queryKey: ['notification_addresses', 'count'],
    queryFn: async ({ signal }) => {
      const { total } = await readPage('/notification_addresses?fields=id&limit=0', signal)
      return total > 0 ? total : (await readPage('/contact_addresses?fields=id&limit=0', signal)).total
    },
    enabled: asks,
    staleTime: 60_000,
  })
  if (!asks || data !== 0) return null
  return (
    <p className="nobody-told row">
      <Icon name="silent" />
      {words.nobodyTold}
      <Link href="/notifications">{words.nobodyToldLink}</Link>
      <button type="button" className="button plain small" onClick={() => choose({ isSilenceMeant: true })}>
        {words.nobodyToldAside}
      </button>
    </p>
  )
}
