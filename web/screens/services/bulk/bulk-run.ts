import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { change, type Problem, read } from '../../../api/client.ts'
import { conditionsAsked } from '../list-address.ts'

/** Elements of one request: each is done after the other, so the progress moves. */
const chunk = 50
const idsOfPage = 1000

/** What is done with every selected service; the ids go into the member `idsIn`. */
export interface BulkAction {
  readonly path: string
  readonly idsIn: 'ids' | 'service_ids'
  readonly body?: Readonly<Record<string, unknown>>
}

interface Outcome {
  readonly id: number
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

export interface BulkRun {
  readonly done: number
  readonly all: number
  readonly refused: readonly Outcome[]
  readonly state: 'running' | 'finished' | 'stopped'
  /** Why it could not go on. */
  readonly error: unknown
}

/** Every service that the conditions of the address leave. */
async function idsOf(conditions: URLSearchParams): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const asked = conditionsAsked(conditions)
    asked.set('fields', 'id')
    asked.set('sort', 'id')
    asked.set('limit', String(idsOfPage))
    asked.set('offset', String(ids.length))
    const page = await read<{ readonly id: number }[]>(`/services?${asked}`)
    ids.push(...page.map(({ id }) => id))
    if (page.length < idsOfPage) return ids
  }
}

/** Does something with many services, a part after the other; it can be stopped between two parts. */
export function useBulkRun() {
  const client = useQueryClient()
  const [run, setRun] = useState<BulkRun | null>(null)
  const isStopped = useRef(false)
  const start = async (action: BulkAction, selected: ReadonlySet<number> | URLSearchParams) => {
    isStopped.current = false
    setRun({ done: 0, all: 0, refused: [], state: 'running', error: null })
    try {
      const ids = selected instanceof URLSearchParams ? await idsOf(selected) : [...selected]
      for (let at = 0; at < ids.length && !isStopped.current; at += chunk) {
        const part = ids.slice(at, at + chunk)
        const outcomes = await change<readonly Outcome[]>('POST', action.path, { ...action.body, [action.idsIn]: part })
        const refused = outcomes.filter(({ ok }) => !ok)
        setRun((before) => ({
          done: at + part.length,
          all: ids.length,
          refused: [...(before?.refused ?? []), ...refused],
          state: 'running',
          error: null,
        }))
      }
      setRun((before) => before && { ...before, state: isStopped.current ? 'stopped' : 'finished' })
    } catch (error) {
      setRun((before) => before && { ...before, state: 'stopped', error })
    }
    await client.resetQueries({ queryKey: ['services'] })
  }
  return {
    run,
    start,
    stop: () => {
      isStopped.current = true
    },
    close: () => setRun(null),
  }
}
