import { type ArtifactTypeId, artifactTypeIds } from '../dictionaries.ts'

const mebibyte = 1_048_576

/** The largest size of one artifact, in bytes before compression. */
export const artifactLimits: Readonly<Record<ArtifactTypeId, number>> = {
  content: mebibyte,
  har: 4 * mebibyte,
  screenshot: 2 * mebibyte,
}

/** The largest size of all artifacts of one check, in bytes. */
export const checkLimit = 6 * mebibyte

/**
 * Reasons why an artifact is not kept: too large; rejected by the store; not delivered by the browser; not delivered by
 * the page in time.
 */
export const missingReasons = ['too_large', 'not_stored', 'not_taken', 'timed_out'] as const

export type MissingReason = (typeof missingReasons)[number]

/** A file that should be kept and is not. */
export interface MissingArtifact {
  readonly id: ArtifactTypeId
  readonly reason: MissingReason
}

/** The size of one artifact as the check delivered it, in bytes before compression. */
export interface ArtifactSize {
  readonly typeId: ArtifactTypeId
  readonly size: number
}

/**
 * The bytes of each artifact to keep, in the order of the types; null where nothing is kept. A truncated page is still
 * useful. A HAR file or a picture is not: those are kept whole or not at all.
 */
export function keptSizes(artifacts: readonly ArtifactSize[]): ReadonlyMap<ArtifactTypeId, number | null> {
  const kept = new Map<ArtifactTypeId, number | null>()
  let left = checkLimit
  for (const id of artifactTypeIds) {
    const size = artifacts.find(({ typeId }) => typeId === id)?.size
    if (size === undefined) continue
    const limit = Math.min(left, artifactLimits[id])
    const keeps = size <= limit ? size : id === 'content' ? limit : null
    kept.set(id, keeps)
    left -= keeps ?? 0
  }
  return kept
}
