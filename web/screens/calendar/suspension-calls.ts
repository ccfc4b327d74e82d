import { callTo } from '../../api/calls.ts'
import { iso } from '../../format/zone.ts'
import type { ApiCall } from '../../parts/code-text.ts'
import type { Outcome } from './calendar-queries.ts'
import { selectionOf, wideOf } from './scope-field.tsx'
import type { Draft } from './suspension-draft.ts'
import type { Plan } from './week.ts'

/** Many answer with the outcome of each; a wide one is one object, with nothing to tell of others. */
export type SuspensionCall = ApiCall<readonly Outcome[] | { readonly id: number } | undefined>

/** Deletes the suspensions of a plan. */
export function removalOf({ kind, wide, ids }: Plan): SuspensionCall {
  if (wide === null) {
    const list = kind === 'weekly' ? '/weekly_suspensions' : '/suspensions'
    return callTo('POST', `${list}/bulk_delete`, { ids })
  }
  return callTo('DELETE', `${kind === 'weekly' ? '/wide_weekly_suspensions' : '/wide_suspensions'}/${Number(ids[0])}`)
}

/** Ends the suspensions of a plan now; weekly ones have no end. */
export function endOf(plan: Plan): SuspensionCall {
  return changeOnce(plan, { end_time: iso(Date.now()) })
}

interface Said {
  readonly only_notifications?: boolean
  readonly description?: string
}

function changeOnce(
  { wide, ids }: Plan,
  body: Said & { readonly start_time?: string; readonly end_time: string },
): SuspensionCall {
  return wide === null
    ? callTo('POST', '/suspensions/bulk_update', { ids, ...body })
    : callTo('PUT', `/wide_suspensions/${Number(ids[0])}`, body)
}

/** The call that makes or changes the suspensions. Null: the form is incomplete. */
export function callOf(draft: Draft, plan: Plan | null): SuspensionCall | null {
  const said = { only_notifications: draft.onlyNotifications, description: draft.description }
  return draft.kind === 'weekly' ? weeklyCall(draft, plan, said) : onceCall(draft, plan, said)
}

function onceCall({ from, to, scope }: Draft, plan: Plan | null, said: Said): SuspensionCall | null {
  if (from === null || to === null || to <= from) return null
  const body = { start_time: iso(from), end_time: iso(to), ...said }
  if (plan !== null) return changeOnce(plan, body)
  const wide = wideOf(scope)
  if (wide !== null) return callTo('POST', '/wide_suspensions', { ...wide, ...body })
  const selection = selectionOf(scope)
  return selection === null ? null : callTo('POST', '/suspensions/bulk_create', { ...selection, ...body })
}

function weeklyCall({ start, end, scope }: Draft, plan: Plan | null, said: Said): SuspensionCall | null {
  const body = { start_minute: start, end_minute: end, ...said }
  if (plan !== null) {
    return plan.wide === null
      ? callTo('POST', '/weekly_suspensions/bulk_update', { ids: plan.ids, ...body })
      : callTo('PUT', `/wide_weekly_suspensions/${Number(plan.ids[0])}`, body)
  }
  const wide = wideOf(scope)
  if (wide !== null) return callTo('POST', '/wide_weekly_suspensions', { ...wide, ...body })
  const selection = selectionOf(scope)
  return selection === null ? null : callTo('POST', '/weekly_suspensions/bulk_create', { ...selection, ...body })
}
