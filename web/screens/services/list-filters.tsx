import { useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { inFamilies } from '../../parts/families.ts'
import { useGroupNames } from '../../parts/group-names.ts'
import { Icon } from '../../parts/icon.tsx'
import { useTypes } from '../../parts/terms.ts'
import { useNarrow } from '../../parts/use-narrow.ts'
import { partWords } from '../../parts/words.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { useTags } from './dictionaries.ts'
import type { ListAddress } from './list-address.ts'
import { servicesWords } from './words.ts'

const pauseAfterTypingMs = 200

const folded = ['group_id', 'type_id', 'tags', 'is_archived']

/** Search, group and type: each a part of the address. A phone folds all but the search, so that the list has room. */
export function ListFilters({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <search className="filters">
      <SearchBox address={address} />
      {isNarrow ? (
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {words.moreFilters(folded.filter((name) => address.conditions.has(name)).length)}
        </button>
      ) : null}
      <div id={id} className="more-filters" hidden={isNarrow && !isOpen}>
        <MoreFilters address={address} />
      </div>
    </search>
  )
}

function MoreFilters({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const parts = useWords(partWords)
  const { account } = useReader()
  const groups = useGroupNames()
  const families = inFamilies(useTypes())
  const tags = useTags()
  return (
    <>
      <Choice
        label={words.group}
        all={words.everyGroup}
        name="group_id"
        options={groups.map(({ id, name }) => [String(id), name])}
        address={address}
      />
      {account.is_read_only ? null : (
        <Link href="/account/groups" className="manage-groups">
          {parts.manageGroups}
        </Link>
      )}
      <Choice
        label={words.type}
        all={words.everyType}
        name="type_id"
        options={[]}
        families={families.map(({ name, types }) => [name, types.map((type) => [type.id, type.name])])}
        address={address}
      />
      {tags.length === 0 && !address.conditions.has('tags') ? null : (
        <Choice
          label={words.tag}
          all={words.everyTag}
          name="tags"
          options={tags.map(({ name }) => [name, name])}
          address={address}
        />
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={address.conditions.get('is_archived') === 'true'}
          onChange={({ target }) => address.set('is_archived', ...(target.checked ? ['true'] : []))}
        />
        {words.archived}
      </label>
    </>
  )
}

function SearchBox({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const asked = address.conditions.get('query') ?? ''
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  useEffect(() => {
    if (typed.trim() === asked) return
    const timer = setTimeout(
      () => address.set('query', ...(typed.trim() === '' ? [] : [typed.trim()])),
      pauseAfterTypingMs,
    )
    return () => clearTimeout(timer)
  }, [typed, asked, address])
  return (
    <div className="search-box">
      <Icon name="search" />
      <input
        type="search"
        data-shortcut="/"
        aria-label={words.search}
        placeholder={words.searched}
        value={typed}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}

type Option = readonly [value: string, text: string]

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly name: string
  readonly options: readonly Option[]
  /** Further options, below the names of their families. */
  readonly families?: readonly (readonly [string, readonly Option[]])[]
  readonly address: ListAddress
}

function Options({ options }: { readonly options: readonly Option[] }) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))
}

function Choice({ label, all, name, options, families = [], address }: ChoiceProps) {
  const id = useId()
  const chosen = address.conditions.get(name) ?? ''
  return (
    <>
      <label htmlFor={id} className="only-read">
        {label}
      </label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => address.set(name, ...(target.value === '' ? [] : [target.value]))}
      >
        <option value="">{all}</option>
        <Options options={options} />
        {families.map(([family, members]) => (
          <optgroup key={family} label={family}>
            <Options options={members} />
          </optgroup>
        ))}
      </select>
    </>
  )
}
