import { useCallback, useMemo, useRef, useState } from 'react'

/** Which services are selected: some by their ids, or all that the address asks for. */
export interface Selection {
  readonly ids: ReadonlySet<number>
  readonly isAll: boolean
  readonly count: (total: number) => number
  readonly has: (id: number) => boolean
  /** Selects or leaves a row; with Shift all rows between it and the one before. */
  readonly toggle: (index: number, isRange: boolean, idAt: (index: number) => number | undefined) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [isAll, setAll] = useState(false)
  const before = useRef<number | null>(null)
  const toggle = useCallback<Selection['toggle']>((index, isRange, idAt) => {
    const from = isRange ? (before.current ?? index) : index
    before.current = index
    setAll(false)
    setIds((present) => {
      const id = idAt(index)
      const isSelected = id !== undefined && !present.has(id)
      const next = new Set(present)
      for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
        const one = idAt(at)
        if (one === undefined) continue
        if (isSelected) next.add(one)
        else next.delete(one)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => {
    setIds(new Set())
    setAll(false)
  }, [])
  const selectAll = useCallback(() => setAll(true), [])
  return useMemo(
    () => ({
      ids,
      isAll,
      count: (total) => (isAll ? total : ids.size),
      has: (id) => isAll || ids.has(id),
      toggle,
      selectAll,
      clear,
    }),
    [ids, isAll, toggle, selectAll, clear],
  )
}
