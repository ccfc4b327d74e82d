import { diskArtifacts } from './disk.ts'
import { s3Artifacts } from './s3.ts'
import type { S3Location } from './s3-client.ts'
import type { ArtifactStore } from './store.ts'

export type ArtifactLocation = { readonly directory: string } | { readonly s3: S3Location }

/** The configured store. It connects and writes nothing before the first artifact. */
export function openArtifacts(location: ArtifactLocation): ArtifactStore {
  return 's3' in location ? s3Artifacts(location.s3) : diskArtifacts(location.directory)
}
