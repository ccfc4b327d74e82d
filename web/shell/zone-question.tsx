import { useQuery } from '@tanstack/react-query'
import { callTo } from '../api/calls.ts'
import { read } from '../api/client.ts'
import { whenLeft } from '../leaving/unsaved.ts'
import { useChange } from '../parts/use-change.ts'
import { ZoneEffects } from '../parts/zone-effects.tsx'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { shellWords } from './words.ts'

/** Offers the zone of the browser to the account. */
export function ZoneQuestion({ here }: { readonly here: string }) {
  const words = useWords(shellWords)
  const { account, zone, choose } = useReader()
  const mayChange = account.permissions?.['update'] === true
  const { data: terms = [] } = useQuery({
    queryKey: ['dictionaries', 'time_zones', here],
    enabled: mayChange,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read('/dictionaries/time_zones?limit=1000', signal),
  })
  const { mutate, isPending, error } = useChange()
  const id = terms.find(({ name }) => name === here)?.id
  const take = (zoneId: string) =>
    mutate(callTo('PUT', '/accounts/my_account', { time_zone_id: zoneId }), { onSuccess: () => location.reload() })
  return (
    <section className="zone-notice card" aria-label={words.zone}>
      <div className="inside stack">
        <p>{words.zoneDiffers(zone, here)}</p>
        {id === undefined ? null : <ZoneEffects />}
        <p className="row">
          {id === undefined ? null : (
            <button
              type="button"
              className="button small"
              disabled={isPending}
              onClick={() => void whenLeft(() => take(id))}
            >
              {words.takeZone(here)}
            </button>
          )}
          <button type="button" className="button small" onClick={() => choose({ zoneKeptIn: here })}>
            {words.keepZone(zone)}
          </button>
          {error === null ? null : (
            <span className="problem" role="alert">
              {error.message}
            </span>
          )}
        </p>
      </div>
    </section>
  )
}
