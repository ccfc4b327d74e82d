import { localMinuteOfWeek } from '../domain/calendars/week.ts'
import { around, diceOf } from './dice.ts'

/** The load that the company's customers put on its servers, shared by the made month and the live targets. */

export const zone = 'Europe/Warsaw'
const minutesOfDay = 1440

/** The hours around the peak, from 0 to 1. */
function bell(minute: number, peak: number, width: number): number {
  return Math.exp(-(((minute - peak) / width) ** 2))
}

/** All stations ask at the same moment. */
let last = { at: Number.NaN, traffic: 1 }

/** Above 1 with many visitors: a little at noon, much in the evening, less at the weekend. 1 at night. */
function trafficAt(at: number): number {
  if (last.at !== at) last = { at, traffic: traffic(at) }
  return last.traffic
}

function traffic(at: number): number {
  const ofWeek = localMinuteOfWeek(zone, at)
  const minute = ofWeek % minutesOfDay
  const day = Math.floor(ofWeek / minutesOfDay)
  const daily = 0.25 * bell(minute, 740, 120) + 0.55 * bell(minute, 1215, 110)
  return 1 + daily * (day >= 5 ? 0.55 : 1)
}

/** Milliseconds that a server needs for an answer; `quietMilliseconds` at night. */
export function serverTime(quietMilliseconds: number, at: number, key: number): number {
  const dice = diceOf(key, at)
  const isHiccup = dice() < 0.002
  return around(quietMilliseconds * trafficAt(at), 0.09, dice) * (isHiccup ? 2.5 + 2 * dice() : 1)
}
