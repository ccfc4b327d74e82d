import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { partWords } from '../parts/words.ts'
import { useWords } from '../words/words.ts'
import { type Entry, useEntries } from './entries.ts'
import type { Opened } from './use-shortcuts.ts'
import { paletteWords } from './words.ts'
import './palette.css'

interface PaletteProps {
  readonly close: () => void
  readonly open: (what: Opened) => void
}

/**
 * Finds services, pages, actions, addresses and documents by typing. The arrow keys choose, and Enter opens (ARIA:
 * combobox with a listbox).
 */
export function Palette({ close, open }: PaletteProps) {
  const words = useWords(paletteWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const entries = useEntries(typed, open)
  const at = Math.min(chosen, entries.length - 1)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  // Both at once: the event `close` comes later than the next key, which may open the palette again.
  const end = () => {
    dialog.current?.close()
    close()
  }
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return
    end()
    entry.act()
  }
  const hear = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setChosen((at + step + entries.length) % Math.max(1, entries.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(entries[at])
    }
  }
  return (
    <dialog ref={dialog} className="palette" aria-label={words.open} onCancel={end} onClose={close}>
      <div className="ask">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] === undefined ? undefined : `${id}-${entries[at].id}`}
          aria-label={words.open}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder={words.placeholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setChosen(0)
          }}
          onKeyDown={hear}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={words.results}>
        {entries.map((entry, index) => (
          <Line
            key={entry.id}
            id={`${id}-${entry.id}`}
            entry={entry}
            title={entries[index - 1]?.group === entry.group ? null : words[entry.group]}
            isChosen={index === at}
            take={take}
          />
        ))}
      </div>
      <p role="status" className="dim">
        {entries.length === 0 ? words.nothing : null}
      </p>
    </dialog>
  )
}

interface LineProps {
  readonly id: string
  readonly entry: Entry
  /** Above the first of its group. */
  readonly title: string | null
  readonly isChosen: boolean
  readonly take: (entry: Entry) => void
}

function Line({ id, entry, title, isChosen, take }: LineProps) {
  const { icon, name, more, language } = entry
  const { states } = useWords(partWords)
  const state = icon in states ? states[icon as keyof typeof states] : null
  return (
    <>
      {title === null ? null : (
        <p className="title" role="presentation">
          {title}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox hears the keys and keeps the focus */}
      <div id={id} role="option" tabIndex={-1} lang={language} aria-selected={isChosen} onClick={() => take(entry)}>
        <Icon name={icon} />
        <span className="name">{name}</span>
        {more === undefined ? null : <span className="dim">{more}</span>}
        {entry.group === 'services' && state !== null ? <span className="only-read">, {state}</span> : null}
      </div>
    </>
  )
}
