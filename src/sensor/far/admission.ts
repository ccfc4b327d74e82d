import type { Clock } from '../../domain/clock.ts'
import type { Coordinates } from '../../domain/services/coordinates.ts'
import type { LogFacts, LogLevel } from '../messages.ts'

/** A sensor that authenticated with its token. */
export interface Admission {
  readonly sensorId: number
  readonly name: string
  /** The stored digest of the token, as text. */
  readonly tokenDigest: string
  /** The source address of the connection. */
  readonly address: string
}

/** A station's description of itself. */
export interface StationRegistration extends Coordinates {
  readonly version: string
  readonly categories: readonly string[]
  readonly unsupportedTypes: readonly string[]
  readonly city: string
  readonly country: string
  readonly address: string
}

export interface FarStationsOptions {
  /** True if strangers can register and have pages checked. */
  readonly isRegistrationOpen: boolean
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  /** Stores a station's description of itself. */
  readonly register: (sensorId: number, registration: StationRegistration) => Promise<void>
  /** Returns the digests whose tokens are still valid. */
  readonly stillValid: (tokenDigests: readonly string[]) => Promise<ReadonlySet<string>>
}
