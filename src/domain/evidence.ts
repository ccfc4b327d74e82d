import { type ArtifactTypeId, artifactTypeIds } from './dictionaries.ts'

const mebibyte = 1_048_576

/** Why a file of a check that was there is not kept. */
export const missingArtifactReasons = ['too_large', 'not_stored'] as const
export type MissingArtifactReason = (typeof missingArtifactReasons)[number]

/** Bytes of one artifact, before compression. */
export const artifactLimits: Readonly<Record<ArtifactTypeId, number>> = {
  content: mebibyte,
  har: 4 * mebibyte,
  screenshot: 2 * mebibyte,
}

/** Bytes of all artifacts of one check. */
export const checkLimit = 6 * mebibyte

/** Bytes of one artifact as the check brought it, before compression. */
export interface ArtifactSize {
  readonly typeId: ArtifactTypeId
  readonly size: number
}

/**
 * How many bytes of each artifact are kept, in the order of the types; null where nothing is. A page that is cut still shows something, a
 * HAR file or a picture does not: those are kept whole or not at all.
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
