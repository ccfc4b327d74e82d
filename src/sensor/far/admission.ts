import type { Clock } from '../../domain/clock.ts'
import type { Coordinates } from '../../domain/coordinates.ts'
import type { LogFacts, LogLevel } from '../messages.ts'

/** A sensor whose token was right. */
export interface Admission {
  readonly sensorId: number
  readonly name: string
  /** What is stored of the token, as text. */
  readonly tokenDigest: string
  /** Where the connection comes from. */
  readonly address: string
}

/** What a station says of itself. */
export interface Registration extends Coordinates {
  readonly version: string
  readonly categories: readonly string[]
  readonly unsupportedTypes: readonly string[]
  readonly city: string
  readonly country: string
  readonly address: string
}

export interface FarStationsOptions {
  /** Strangers may have pages of theirs checked. */
  readonly isRegistrationOpen: boolean
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  /** Puts on record what a station says of itself. */
  readonly register: (sensorId: number, registration: Registration) => Promise<void>
  /** Which of the digests still belong to tokens that hold. */
  readonly stillValid: (tokenDigests: readonly string[]) => Promise<ReadonlySet<string>>
}
