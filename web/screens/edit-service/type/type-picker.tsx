import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ServiceType } from '../../../api/answers.ts'
import { inFamilies } from '../../../parts/families.ts'
import { useWords } from '../../../words/words.ts'
import type { ControlProps } from '../field.tsx'
import { foundTypes } from './type-search.ts'
import { typeWords } from './words.ts'
import './type-picker.css'

interface PickerProps {
  readonly control: ControlProps
  readonly chosen: ServiceType | undefined
  readonly types: readonly ServiceType[]
  /** Types of which the package has none left. */
  readonly full: ReadonlySet<string>
  readonly choose: (typeId: string) => void
}

/**
 * Chooses a type by its family, or finds it by words. The arrow keys choose, and Enter takes (ARIA: combobox with a
 * listbox in groups).
 */
export function TypePicker({ control, chosen, types, full, choose }: PickerProps) {
  const words = useWords(typeWords)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const [activeId, setActiveId] = useState<string | null>(null)
  const found = foundTypes(types, typed ?? '')
  const active = found.find(({ id }) => id === activeId) ?? (typed === null ? undefined : found[0])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  })
  const open = () => {
    setOpen(true)
    setActiveId(chosen?.id ?? null)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const take = (type: ServiceType | undefined) => {
    close()
    if (type !== undefined && type.id !== chosen?.id) choose(type.id)
  }
  const step = (by: 1 | -1) => {
    if (!isOpen) return open()
    const at = active === undefined ? (by === 1 ? -1 : 0) : found.indexOf(active)
    setActiveId(found.at((at + by) % Math.max(1, found.length))?.id ?? null)
  }
  const hear = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    if (by !== null) step(by)
    else if (event.key === 'Enter' && isOpen) take(active)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }
  const optionId = (id: string) => `${control.id}-${id}`
  return (
    <div className="type-picker">
      <input
        {...control}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${control.id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active !== undefined ? optionId(active.id) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed ?? chosen?.name ?? ''}
        onClick={({ currentTarget }) => {
          if (isOpen) return
          currentTarget.select()
          open()
        }}
        onChange={({ target }) => {
          setTyped(target.value)
          setActiveId(null)
          setOpen(true)
        }}
        onKeyDown={hear}
        onBlur={close}
      />
      <div id={`${control.id}-list`} ref={list} role="listbox" aria-label={words.types} hidden={!isOpen}>
        {isOpen
          ? inFamilies(found).map(({ id: family, name, types: members }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
              <div key={family} role="group" aria-labelledby={optionId(`family-${family}`)}>
                <p id={optionId(`family-${family}`)} role="presentation">
                  {name}
                </p>
                {members.map((type) => (
                  <Line
                    key={type.id}
                    id={optionId(type.id)}
                    type={type}
                    isActive={type === active}
                    isChosen={type.id === chosen?.id}
                    isFull={full.has(type.id)}
                    take={take}
                  />
                ))}
              </div>
            ))
          : null}
      </div>
      <span role="status" className="only-read">
        {isOpen ? words.found(found.length) : ''}
      </span>
      {isOpen && found.length === 0 ? <p className="hint">{words.found(0)}</p> : null}
    </div>
  )
}

interface LineProps {
  readonly id: string
  readonly type: ServiceType
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly isFull: boolean
  readonly take: (type: ServiceType) => void
}

function Line({ id, type, isActive, isChosen, isFull, take }: LineProps) {
  const words = useWords(typeWords)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox hears the keys and keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-active={isActive ? '' : undefined}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => take(type)}
    >
      <span>{type.name}</span>
      {isFull ? (
        <span className="dim">{words.isFull}</span>
      ) : (
        <span className="dim" aria-hidden="true">
          {type.address_prefix}
        </span>
      )}
    </div>
  )
}
