import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Call, sendChange } from '../../../api/calls.ts'
import { type Problem, Refused, read } from '../../../api/client.ts'
import { conditionsAsked } from '../list-address.ts'

/** Elements of one request: each is done after the other, so the progress moves. */
const chunk = 50
const idsOfPage = 1000
/** Seconds. */
const usualWait = 10

/** The call that does something with some of the selected services. */
export type BulkAction = (ids: readonly number[]) => Call<readonly Outcome[]>

interface Outcome {
  /** Null: nothing was made. */
  readonly id: number | null
  /** Where the id is that of something new. */
  readonly service_id?: number
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

export interface BulkRun {
  readonly done: number
  readonly all: number
  readonly refused: readonly Outcome[]
  readonly state: 'running' | 'finished' | 'stopped'
  /** The API takes no more of it for a while. */
  readonly isWaiting: boolean
  /** Why it could not go on. */
  readonly error: unknown
}

/** Does a request of the run, again when the API is busy. */
type Patiently = <Answer>(request: () => Promise<Answer>) => Promise<Answer>

/** The API makes callers wait who ask for much: nothing of that request was done. Stopping ends the wait. */
function patientUntil(signal: AbortSignal, tell: (isWaiting: boolean) => void): Patiently {
  return async (request) => {
    for (;;) {
      try {
        return await request()
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 429) throw error
        tell(true)
        await pause((error.retryAfter ?? usualWait) * 1000, signal)
        tell(false)
        if (signal.aborted) throw new Stopped()
      }
    }
  }
}

class Stopped extends Error {}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Every service that the conditions of the address leave. */
async function idsOf(conditions: URLSearchParams, patiently: Patiently): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const asked = conditionsAsked(conditions)
    asked.set('sort', 'id')
    asked.set('limit', String(idsOfPage))
    asked.set('offset', String(ids.length))
    const page = await patiently(() => read(`/services?${asked}&fields=id`))
    ids.push(...page.map(({ id }) => id))
    if (page.length < idsOfPage) return ids
  }
}

const begun: BulkRun = { done: 0, all: 0, refused: [], state: 'running', isWaiting: false, error: null }

/** Does something with many services, a part after the other; it can be stopped between two parts. */
export function useBulkRun() {
  const client = useQueryClient()
  const [run, setRun] = useState<BulkRun | null>(null)
  const stopping = useRef(new AbortController())
  const start = async (action: BulkAction, selected: ReadonlySet<number> | URLSearchParams) => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    const tell = (part: (before: BulkRun) => Partial<BulkRun>) =>
      setRun((before) => before && { ...before, ...part(before) })
    const patiently = patientUntil(signal, (isWaiting) => tell(() => ({ isWaiting })))
    setRun(begun)
    try {
      const ids = selected instanceof URLSearchParams ? await idsOf(selected, patiently) : [...selected]
      tell(() => ({ all: ids.length }))
      for (let at = 0; at < ids.length && !signal.aborted; at += chunk) {
        const part = ids.slice(at, at + chunk)
        const outcomes = await patiently(() => sendChange(action(part)))
        const refused = outcomes.filter(({ ok }) => !ok)
        tell((before) => ({ done: at + part.length, refused: [...before.refused, ...refused] }))
      }
      tell(({ done, all }) => ({ state: done < all ? 'stopped' : 'finished' }))
    } catch (error) {
      tell(() => ({ state: 'stopped', error: error instanceof Stopped ? null : error }))
    }
    await client.resetQueries({ queryKey: ['services'] })
  }
  return { run, start, stop: () => stopping.current.abort(), close: () => setRun(null) }
}
