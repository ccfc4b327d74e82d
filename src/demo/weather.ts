import { localMinuteOfWeek } from '../domain/week.ts'
import { around, diceOf } from './dice.ts'

/** How busy the company's customers keep its servers: the month that is made and the targets that live on share it. */

export const zone = 'Europe/Warsaw'
const minutesOfDay = 1440

/** The hours around the peak, from 0 to 1. */
function bell(minute: number, peak: number, width: number): number {
  return Math.exp(-(((minute - peak) / width) ** 2))
}

/** All stations ask at the same moment. */
let last = { at: Number.NaN, traffic: 1 }

/** Over 1 when many visit: a little at noon, much in the evening, less at the weekend. At night 1. */
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

/** Milliseconds that a server takes to answer, which takes it so long at night. */
export function serverTime(quietMilliseconds: number, at: number, key: number): number {
  const dice = diceOf(key, at)
  const isHiccup = dice() < 0.002
  return around(quietMilliseconds * trafficAt(at), 0.09, dice) * (isHiccup ? 2.5 + 2 * dice() : 1)
}
