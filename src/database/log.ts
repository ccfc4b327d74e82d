/** A log of the database's start, recovery and stop. A pino logger fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}
