import { lazy, Suspense, useState } from 'react'
import { type ShownTag, useTagContacts } from '../../parts/addresses/address-queries.ts'
import { notificationsWords } from '../../parts/addresses/words.ts'
import { ManagedMark } from '../../parts/managed.tsx'
import { useWords } from '../../words/words.ts'

const WhoHears = lazy(() => import('../../parts/on-call/who-hears.tsx').then((file) => ({ default: file.WhoHears })))

/** The contacts of each tag; nothing while the account has no tag. */
export function TagList() {
  const words = useWords(notificationsWords)
  const { data: tags = [] } = useTagContacts()
  const [edited, setEdited] = useState<ShownTag | null>(null)
  if (tags.length === 0) return null
  return (
    <section className="card" aria-labelledby="by-tag">
      <header>
        <div>
          <h2 id="by-tag">{words.byTag}</h2>
          <p className="hint">{words.byTagText}</p>
        </div>
      </header>
      <ul className="addresses">
        {tags.map((tag) => (
          <li key={tag.id}>
            <div className="who-hears">
              <b>{tag.name}</b>
              <ManagedMark of={tag} />
              <span className="dim">{words.tagTells(tag.contact_ids.length + tag.contact_group_ids.length)}</span>
            </div>
            {tag.permissions.update ? (
              <button
                type="button"
                className="button small"
                aria-label={`${tag.name}: ${words.tagContacts}`}
                onClick={() => setEdited(tag)}
              >
                {words.tagContacts}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {edited === null ? null : (
        <Suspense fallback={null}>
          <WhoHears
            name={edited.name}
            path={`/tags/${edited.id}`}
            naming={{ ...edited, escalation_id: null }}
            hasEscalation={false}
            closed={() => setEdited(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
