import { diskArtifacts } from './disk.ts'
import { type S3Place, s3Artifacts } from './s3.ts'
import type { ArtifactStore } from './store.ts'

export type ArtifactPlace = { readonly directory: string } | { readonly s3: S3Place }

/** The configured store. It connects and writes nothing before the first artifact. */
export function openArtifacts(place: ArtifactPlace): ArtifactStore {
  return 's3' in place ? s3Artifacts(place.s3) : diskArtifacts(place.directory)
}
