/** What the database has to say while it starts, recovers and stops. A pino logger fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}
