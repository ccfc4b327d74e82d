/** Told how far a dump is. Units are bytes: of tables on disk while it is written, of the file while it is read. */
export interface Progress {
  begin(totalUnits: number): void
  /** So many units are done, and what is under way. */
  at(units: number, subject: string): void
  /** A table, or the artifacts, are done. */
  done(subject: string, count: number): void
  end(): void
}
