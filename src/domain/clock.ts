/** The only source of time for the edges; tests hand in their own. Rules never see it: they take `now` as a fact. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}
