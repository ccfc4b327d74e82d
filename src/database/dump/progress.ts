/** Receives the progress of a dump. Units are bytes: of tables on disk during writing, of the file during reading. */
export interface DumpProgress {
  begin(totalUnits: number): void
  /** The finished units, and the current subject. */
  at(units: number, subject: string): void
  /** A table, or all artifacts, are finished. */
  done(subject: string, count: number): void
  end(): void
}
