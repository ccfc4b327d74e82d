/** The outcome of one look at the tables of a role: whether something may be done now, and what comes next. */
export interface Due {
  readonly isDue: boolean
  /** When something later is due that wants its exact moment, Unix milliseconds; Infinity: never. */
  readonly nextAt: number
}
