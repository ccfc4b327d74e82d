import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Correction } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { iso } from '../../format/zone.ts'
import { type HistoryFacts, readFacts } from './history-facts.ts'
import { intervalsOf, levelOf, shareOf } from './intervals.ts'

/** Unix milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The planned correction of a range. */
export type Draft = Pick<Correction, 'status'> & Range

export interface Preview {
  readonly before: number | null
  readonly after: number | null
}

/** A new correction counts above every other one. */
const newId = Number.MAX_SAFE_INTEGER

function withDraft({ changes, corrections }: HistoryFacts, replaced: Correction | null, draft: Draft | null) {
  const others = corrections.filter(({ id }) => id !== replaced?.id)
  if (draft === null) return { changes, corrections: others }
  const written = { start_time: iso(draft.from), end_time: iso(draft.to), status: draft.status }
  const made: Correction = {
    ...{ id: replaced?.id ?? newId, service_id: 0, description: '', created_at: '', created_by_account_id: null },
    ...written,
  }
  return { changes, corrections: [...others, made] }
}

/**
 * The service level of a range before and after a correction. Only the seconds that the correction covers, or covered,
 * are computed anew; the rest comes from the API.
 *
 * @param replaced the correction that is changed or deleted
 * @param draft null: it is deleted
 */
export function usePreview(serviceId: number, range: Range, replaced: Correction | null, draft: Draft | null) {
  const whole = useQuery({
    queryKey: ['service_level', serviceId, range.from, range.to],
    queryFn: ({ signal }) =>
      read(`/services/${serviceId}/history/service_level?from=${iso(range.from)}&to=${iso(range.to)}`, signal),
  })
  const starts = [draft?.from, replaced === null ? undefined : Date.parse(replaced.start_time)]
  const ends = [draft?.to, replaced === null ? undefined : Date.parse(replaced.end_time)]
  const from = Math.max(range.from, Math.min(...starts.filter((at) => at !== undefined)))
  const to = Math.min(range.to, Math.max(...ends.filter((at) => at !== undefined)))
  const isWithin = to > from && (draft === null || draft.to > draft.from)
  const facts = useQuery({
    queryKey: ['history_facts', serviceId, from, to],
    enabled: isWithin,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({ from, to, read: await readFacts(serviceId, from, to, signal) }),
  })
  if (whole.data === undefined || !isWithin || facts.data === undefined) return null
  const { read: known, ...window } = facts.data
  if (window.from !== from || window.to !== to) return null
  const before = levelOf(intervalsOf(known, from, to))
  const after = levelOf(intervalsOf(withDraft(known, replaced, draft), from, to))
  const moved = {
    ok: whole.data.ok + after.ok - before.ok,
    failure: whole.data.failure + after.failure - before.failure,
    paused: whole.data.paused + after.paused - before.paused,
  }
  return { before: shareOf(whole.data), after: shareOf(moved) } satisfies Preview
}
