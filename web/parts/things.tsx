import { type ReactNode, useState } from 'react'
import type { Collection } from '../api/address.ts'
import { callTo } from '../api/calls.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { FormDialog } from './form-dialog.tsx'
import { Icon } from './icon.tsx'
import { type Managed, ManagedMark } from './managed.tsx'
import { onCallWords } from './on-call/words.ts'

/** An object of a list. */
export interface Thing extends Managed {
  readonly id: number
  readonly name: string
  readonly permissions: Readonly<Record<string, boolean>>
}

interface ThingsProps<One extends Thing> {
  readonly id: string
  readonly title: string
  readonly add: string
  /** Where the API has them: `/contacts`. */
  readonly collection: Collection
  readonly things: readonly One[]
  readonly empty: ReactNode
  readonly show: (one: One) => ReactNode
  /** Before one is deleted. */
  readonly removeText?: string
  /** The uses of one, shown before it is deleted. */
  readonly uses?: (one: One) => ReactNode
  /** Above the list: a search, when the list is only a part of them. */
  readonly tools?: ReactNode
  /** Further buttons of one. */
  readonly more?: (one: One) => ReactNode
  /** Begins with the form of a new one. */
  readonly isAdding?: boolean
  /** The form of one; null: of a new one. */
  readonly form: (one: One | null, closed: () => void) => ReactNode
}

/** A card with a list of one kind of thing, each of which can be changed and deleted. */
export function Things<One extends Thing>(props: ThingsProps<One>) {
  const words = useWords(onCallWords)
  const { account } = useReader()
  const { id, things, isAdding = false } = props
  const begun = isAdding && !account.is_read_only ? ({ what: 'edit', one: null } as const) : null
  const [asked, setAsked] = useState<{ readonly what: 'edit' | 'remove'; readonly one: One | null } | null>(begun)
  const closed = () => setAsked(null)
  const removed = asked?.what === 'remove' ? asked.one : null
  return (
    <section className="card" aria-labelledby={id}>
      <header className="spread">
        <h2 id={id}>{props.title}</h2>
        {account.is_read_only ? null : (
          <button type="button" className="button small" onClick={() => setAsked({ what: 'edit', one: null })}>
            <Icon name="add" />
            {props.add}
          </button>
        )}
      </header>
      {props.tools === undefined ? null : <div className="inside">{props.tools}</div>}
      {things.length === 0 ? (
        <div className="none dim">{props.empty}</div>
      ) : (
        <ul className="things">
          {things.map((one) => (
            <li key={one.id}>
              <div className="thing">
                {props.show(one)}
                <ManagedMark of={one} />
              </div>
              <div className="row">
                {props.more?.(one)}
                {one.permissions['update'] === true ? (
                  <button
                    type="button"
                    className="button small"
                    aria-label={words.editNamed(one.name)}
                    onClick={() => setAsked({ what: 'edit', one })}
                  >
                    {words.edit}
                  </button>
                ) : null}
                {one.permissions['delete'] === true ? (
                  <button
                    type="button"
                    className="button small"
                    aria-label={words.removeNamed(one.name)}
                    onClick={() => setAsked({ what: 'remove', one })}
                  >
                    {words.remove}
                  </button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {asked?.what === 'edit' ? props.form(asked.one, closed) : null}
      {removed === null ? null : (
        <FormDialog
          title={words.removeNamed(removed.name)}
          action={words.remove}
          isDangerous
          managed={removed}
          request={() => callTo('DELETE', `${props.collection}/${removed.id}`)}
          closed={closed}
        >
          <p>{props.removeText ?? words.removeText}</p>
          {props.uses?.(removed)}
        </FormDialog>
      )}
    </section>
  )
}
