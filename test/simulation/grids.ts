import { gridPhase } from '../../src/domain/judging/schedule.ts'

/** Many rounds settle together because the grids of all services meet at eight moments close together in each hour. */
const meeting = { everySeconds: 3600, atMilliseconds: [7000, 7020, 7040, 7065, 7090, 7110, 7130, 7150] }

/**
 * A number whose remainder is the offset of every grid of the service. Hashes have 32 bits, so this interval is longer
 * than any.
 */
export function gridNumber(serviceId: number): number {
  return gridPhase(serviceId, 2 ** 32)
}

/** The service whose grid number this is: the finalizer of MurmurHash3 backwards. */
function serviceOf(gridNumber: number): number {
  let bits = gridNumber | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x7ed1b41d)
  bits = Math.imul(bits ^ (bits >>> 13) ^ (bits >>> 26), 0xa5cb9243)
  return (bits ^ (bits >>> 16)) >>> 0
}

function servicesThatMeet(): number[] {
  const ids: number[] = []
  for (let hour = 0; hour < 2 ** 32; hour += meeting.everySeconds * 1000) {
    for (const at of meeting.atMilliseconds) {
      const id = serviceOf(hour + at)
      if (gridNumber(id) !== hour + at) throw new Error('Services have other grids than this file thinks.')
      if (id > 0 && id < 2 ** 31) ids.push(id)
    }
  }
  return ids.toSorted((one, other) => one - other)
}

/** The first so many services from a number on whose grids meet. */
export function idsThatMeet(from: number, count: number): number[] {
  return servicesThatMeet()
    .filter((id) => id >= from)
    .slice(0, count)
}
