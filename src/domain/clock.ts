/** The only source of time outside the rules; tests pass their own. Rules never see it: they take `now` as a fact. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}
