import { formatMoment } from '../domain/calendars/time.ts'
import type { Column } from '../domain/queries/columns.ts'

/** Moments in the API's format, null for missing ones. Adjacent rows often share the same second. */
export function momentTexts(moments: Column): Column {
  let [last, text]: [number | null, string | null] = [null, null]
  return (place) => {
    const at = moments(place) ?? null
    const second = at === null ? null : Math.floor(Number(at) / 1000)
    if (second !== last) text = second === null ? null : formatMoment(second * 1000)
    last = second
    return text
  }
}
