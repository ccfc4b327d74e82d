import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { servicesWords } from './words.ts'

const longestName = 60
const mostViews = 50

/** Addresses of this list under names, kept with the account. */
export function SavedViews() {
  const words = useWords(servicesWords).views
  const { preferences, choose } = useReader()
  const [search] = useSearchParams()
  const [name, setName] = useState('')
  const { views } = preferences
  const save = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = name.trim()
    if (trimmed === '') return
    const others = views.filter((view) => view.name !== trimmed)
    choose({ views: [...others, { name: trimmed, query: search.toString() }].slice(-mostViews) })
    setName('')
  }
  const close = () => document.getElementById('saved-views')?.hidePopover()
  return (
    <div className="saved-views">
      <button type="button" className="button" popoverTarget="saved-views">
        <Icon name="list" />
        {words.title}
      </button>
      <div id="saved-views" popover="auto" role="dialog" aria-label={words.title}>
        {views.length === 0 ? <p className="hint">{words.none}</p> : null}
        <ul>
          {views.map((view) => (
            <li key={view.name} className="row">
              <Link href={view.query === '' ? '/services' : `/services?${view.query}`} onClick={close}>
                {view.name}
              </Link>
              <button
                type="button"
                className="button plain small"
                aria-label={words.remove(view.name)}
                onClick={() => choose({ views: views.filter((other) => other.name !== view.name) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <form className="stack" onSubmit={save}>
          <div className="field">
            <label htmlFor="view-name">{words.name}</label>
            <input
              id="view-name"
              autoComplete="off"
              maxLength={longestName}
              aria-describedby="view-about"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <span id="view-about" className="hint">
              {words.about}
            </span>
          </div>
          <button type="submit" className="button" disabled={name.trim() === ''}>
            {words.save}
          </button>
        </form>
      </div>
    </div>
  )
}
