import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Group, ServiceType } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { useWords } from '../../words/words.ts'
import type { ListAddress } from './list-address.ts'
import { servicesWords } from './words.ts'

const pauseAfterTypingMs = 200

/** Search, group and type: each a part of the address. */
export function ListFilters({ address }: { readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const groups = useQuery({
    queryKey: ['groups', 'names'],
    queryFn: ({ signal }) => read<Pick<Group, 'id' | 'name'>[]>('/groups?fields=id,name&sort=name&limit=1000', signal),
    staleTime: 60_000,
  })
  const types = useQuery({
    queryKey: ['service_types', 'names'],
    queryFn: ({ signal }) =>
      read<Pick<ServiceType, 'id' | 'name'>[]>('/service_types?fields=id,name&sort=name&limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <search className="filters">
      <SearchBox address={address} />
      <Choice
        label={words.group}
        all={words.everyGroup}
        name="group_id"
        options={groups.data?.map(({ id, name }) => [String(id), name]) ?? []}
        address={address}
      />
      <Choice
        label={words.type}
        all={words.everyType}
        name="type_id"
        options={types.data?.map(({ id, name }) => [id, name]) ?? []}
        address={address}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={address.conditions.get('is_archived') === 'true'}
          onChange={({ target }) => address.set('is_archived', ...(target.checked ? ['true'] : []))}
        />
        {words.archived}
      </label>
    </search>
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
        placeholder={words.search}
        value={typed}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly name: string
  readonly options: readonly (readonly [string, string])[]
  readonly address: ListAddress
}

function Choice({ label, all, name, options, address }: ChoiceProps) {
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
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}
