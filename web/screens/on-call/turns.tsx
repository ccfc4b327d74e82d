import { useLayoutEffect, useRef } from 'react'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { nameOf, type ShownContact } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useWords } from '../../words/words.ts'

interface TurnsProps {
  readonly contacts: readonly ShownContact[]
  readonly ids: readonly number[]
  readonly set: (ids: readonly number[]) => void
}

/** One may come several times: the contact, and which of its turns it is. */
function turnKey(ids: readonly number[], at: number): string {
  return `${ids[at]}.${ids.slice(0, at).filter((id) => id === ids[at]).length}`
}

function buttonsOf(turn: Element | undefined): readonly HTMLButtonElement[] {
  return [...(turn?.querySelectorAll('button') ?? [])]
}

/** The order of those who take turns; one may take several. */
export function Turns({ contacts, ids, set }: TurnsProps) {
  const words = useWords(onCallWords)
  const list = useRef<HTMLOListElement>(null)
  const pressed = useRef<{ readonly at: number; readonly button: number } | null>(null)
  // An element that moves in a document loses the focus, and so does a button that becomes disabled.
  useLayoutEffect(() => {
    const buttons = pressed.current === null ? [] : buttonsOf(list.current?.children[pressed.current.at])
    const same = buttons[pressed.current?.button ?? 0]
    const chosen = same?.disabled === true ? buttons.find(({ disabled }) => !disabled) : same
    pressed.current = null
    chosen?.focus()
  })
  if (ids.length === 0) return null
  const changed = (after: readonly number[], at: number, button: number) => {
    pressed.current = { at: Math.min(at, after.length - 1), button }
    set(after)
  }
  const moved = (from: number, to: number) =>
    changed(ids.toSpliced(from, 1).toSpliced(to, 0, ...ids.slice(from, from + 1)), to, to < from ? 0 : 1)
  return (
    <fieldset className="turns">
      <legend>{words.turns}</legend>
      <ol ref={list}>
        {ids.map((id, index) => {
          const name = nameOf(contacts, id)
          return (
            <li key={turnKey(ids, index)}>
              <span>{name}</span>
              <TurnButton
                icon="up"
                label={words.earlier(name)}
                isOff={index === 0}
                press={() => moved(index, index - 1)}
              />
              <TurnButton
                icon="down"
                label={words.later(name)}
                isOff={index === ids.length - 1}
                press={() => moved(index, index + 1)}
              />
              <TurnButton icon="add" label={words.onceMore(name)} press={() => changed([...ids, id], ids.length, 2)} />
              <TurnButton
                icon="close"
                label={words.leaveOut(name)}
                press={() => changed(ids.toSpliced(index, 1), index, 3)}
              />
            </li>
          )
        })}
      </ol>
    </fieldset>
  )
}

interface ButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly isOff?: boolean
  readonly press: () => void
}

function TurnButton({ icon, label, isOff = false, press }: ButtonProps) {
  return (
    <button type="button" className="button small" aria-label={label} disabled={isOff} onClick={press}>
      <Icon name={icon} />
    </button>
  )
}
