import type { FilterFunctions, TemplateValue } from '../domain/notification/template-render.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { formatDuration, formatLocal, formatMoment } from './moments.ts'

/** In an SMS a longer name would leave no room for the event. */
const shortLength = 30

/** The filters of templates; moments are in the zone (IANA name). */
export function filtersFor(zone: string): FilterFunctions {
  const ofMoment = (tell: (at: number) => string) => (value: TemplateValue) => {
    const at = Date.parse(String(value))
    return Number.isNaN(at) ? '' : tell(at)
  }
  return {
    json: (value) => JSON.stringify(value),
    time: ofMoment((at) => formatMoment(at, zone)),
    date: ofMoment((at) => formatLocal(at, zone, 'day')),
    clock: ofMoment((at) => formatMoment(at, zone).slice(11, 19)),
    duration: (seconds) => formatDuration(Number(seconds)),
    short: (text) => oneLine(String(text), shortLength),
    upper: (text) => String(text).toUpperCase(),
  }
}
