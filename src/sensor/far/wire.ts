/**
 * What a station far away and the core say to each other: JSON texts, each an object with its `kind`. Unknown kinds and members are
 * ignored on both sides, and what a later version adds has a default, so old and new talk. Moments are of the core's clock.
 */
export const protocolVersion = 2
/** From here on jobs of one frame may share their settings. */
export const sharedSettingsVersion = 2
export const oldestProtocolVersion = 1

/** Below the API's base path. */
export const connectionPath = '/v3/sensor_connections'

/** The largest result with its files as base64 stays well below. */
export const longestFrameBytes = 16 * 1_048_576
export const mostResultsInFrame = 1000
/** Several jobs or results share a frame up to this size. */
export const usualFrameBytes = 1_048_576
/** Each side speaks this often and takes the other for lost after the silence. */
export const heartbeatMs = 2000
export const longestSilenceMs = 6000

/** Why the core ends a connection. */
export const closings = {
  violation: 1008,
  /** This process stops; another one may take the station at once. */
  elsewhere: 1012,
  tryLater: 1013,
  refused: 4401,
  replaced: 4409,
  tooOld: 4426,
} as const
