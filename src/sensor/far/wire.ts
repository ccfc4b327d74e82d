/**
 * The protocol between a remote station and the core: JSON texts, each an object with its `kind`. Both sides ignore
 * unknown kinds and members, and later additions have defaults, so old and new versions work together. Moments are on
 * the core's clock.
 */
export const protocolVersion = 2
/** From this version on, jobs of one frame may share their settings. */
export const sharedSettingsVersion = 2
export const oldestProtocolVersion = 1

/** Below the API's base path. */
export const connectionPath = '/v3/sensor_connections'

/** The largest result, with its files as base64, stays well below. */
export const longestFrameBytes = 16 * 1_048_576
export const mostResultsInFrame = 1000
/** Several jobs or results share a frame up to this size. */
export const usualFrameBytes = 1_048_576
/** Each side speaks this often, and considers the other lost after the silence. */
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
