import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Account, Group } from '../api/answers.ts'
import { read } from '../api/client.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'

export type NamedGroup = Pick<Group, 'id' | 'name' | 'owner_id' | 'is_default'> & {
  readonly owner: Pick<Account, 'name' | 'username'> | null
}

/** The part of a query for groups that `useToldApart` needs. */
export const groupNames = 'fields=id,name,owner_id,is_default&embed=owner.name,owner.username'

/** Groups that are called the same also say whose they are. */
export function useToldApart<Row extends NamedGroup>(groups: readonly Row[] | undefined): readonly Row[] | undefined {
  const words = useWords(partWords)
  const { account } = useReader()
  return useMemo(() => {
    const ownerOf = ({ owner, owner_id: id }: Row) =>
      id === account.id ? words.yours : owner?.name || owner?.username || words.accountNumber(id)
    const isShared = (row: Row) => groups?.some(({ id, name }) => id !== row.id && name === row.name) === true
    return groups?.map((row) => (isShared(row) ? { ...row, name: `${row.name} (${ownerOf(row)})` } : row))
  }, [groups, account.id, words])
}

/** Every group that the reader sees, by its name. */
export function useGroupNames(): readonly NamedGroup[] {
  const { data } = useQuery({
    queryKey: ['groups', 'names'],
    queryFn: ({ signal }) => read(`/groups?${groupNames}&sort=name&limit=1000`, signal),
    staleTime: 60_000,
  })
  return useToldApart(data) ?? none
}

const none: readonly NamedGroup[] = []
