import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { NamedService } from './calendar-queries.ts'
import { calendarWords } from './words.ts'

const namesShown = 3

/** Says whose services are covered where they are not the reader's own. */
export function Owners({ services }: { readonly services: readonly NamedService[] }) {
  const words = useWords(calendarWords)
  const { account } = useReader()
  const whose = new Map<number, NamedService[]>()
  for (const service of services) {
    if (service.ownerId === account.id || service.ownerId === account.parent_account_id) continue
    whose.set(service.ownerId, [...(whose.get(service.ownerId) ?? []), service])
  }
  if (whose.size === 0) return null
  return (
    <div className="notice owners" role="status">
      {words.ofOthers}
      <ul>
        {[...whose].map(([id, those]) => (
          <li key={id}>
            <b>{those[0]?.owner ?? words.unseenAccount(id)}</b>:{' '}
            {those
              .slice(0, namesShown)
              .map(({ name }) => name)
              .join(', ')}{' '}
            {those.length > namesShown ? words.more(those.length - namesShown) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
