/** An analysis id is the Unix milliseconds of the decision × 100 + a sequence of two digits: 15 digits until the year 2286. */
const idsPerMillisecond = 100

/** The first id of that millisecond: `analysis_key >= analysisIdAt(from) and analysis_key < analysisIdAt(to)` is a time range. */
export function analysisIdAt(ms: number): number {
  return Math.ceil(ms) * idsPerMillisecond
}

export function analysisTimeOf(id: number): number {
  return Math.floor(id / idsPerMillisecond)
}
