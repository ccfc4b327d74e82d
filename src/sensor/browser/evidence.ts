import type { ArtifactTypeId } from '../../domain/dictionaries.ts'
import type { MissingArtifact, MissingReason } from '../../domain/judging/evidence.ts'
import { hideSecrets, hideSecretsInBytes } from '../hide-secrets.ts'
import { shownHeader } from '../http/headers.ts'
import type { CheckArtifact } from '../protocol.ts'
import type { Archive } from './archive.ts'
import { type HarView, protocolName } from './har.ts'
import type { PageWatch } from './page-watch.ts'
import { pictureWays, type Sitting } from './picture.ts'
import { type Taken, taken } from './taken.ts'

/** A piece of evidence that could not be taken, with the browser's message. */
export interface NotTaken extends MissingArtifact {
  readonly error: string
}

interface Collection extends Sitting {
  readonly archive: Archive
  readonly ipOf: HarView['ipOf']
  readonly onMissing: (piece: NotTaken) => void
}

const largestContentBytes = 1024 * 1024
const largestHarBytes = 32 * 1024 * 1024

/** Takes what the failed page still delivers: its screen, its content and its requests. Never rejects. */
export async function collectEvidence(collection: Collection): Promise<void> {
  const { visit, watch, archive, secrets, ipOf, patienceMs } = collection
  const lacking = new Lacking(collection.onMissing)
  const take = <T>(way: () => Promise<T>) => taken(patienceMs, [way])
  const [screenshot, content, headers, har] = await Promise.all([
    taken(patienceMs, pictureWays(collection)),
    take(() => readContent(watch, secrets)),
    take(() => headersOf(watch)),
    take(() => readHar(archive, { secrets, ipOf })),
  ])
  const { evidence, facts } = visit.attempt
  const response = watch.response()
  const page = lacking.valueOf('content', content)
  const shownHeaders = 'value' in headers ? headers.value : null
  evidence.base_url = hideSecrets(watch.documentUrl() ?? evidence.base_url, secrets)
  evidence.status_code = response?.status() ?? null
  evidence.response_headers = shownHeaders === null ? null : hideSecrets(shownHeaders, secrets)
  evidence.content_type = page?.contentType ?? null
  const archived = lacking.valueOf('har', har)
  const isArchiveLong = archived !== null && archived.length > largestHarBytes
  if (isArchiveLong) lacking.note('har', 'too_large', `${archived.length} bytes`)
  const picture = lacking.valueOf('screenshot', screenshot)
  evidence.artifacts = [
    ...(page === null ? [] : [page]),
    ...(archived === null || isArchiveLong ? [] : [artifactOf('har', 'application/json', archived)]),
    ...(picture === null ? [] : [artifactOf('screenshot', 'image/jpeg', picture)]),
  ]
  evidence.missing = lacking.found
  const errors = watch.resourceErrors
  if (errors.length > 0) facts['resource_errors'] = hideSecrets(resourceErrorText(errors), secrets)
}

/** Collects the missing pieces, for the check's details and for the station's operator. */
class Lacking {
  readonly found: MissingArtifact[] = []
  readonly #tell: Collection['onMissing']

  constructor(tell: Collection['onMissing']) {
    this.#tell = tell
  }

  valueOf<T>(id: ArtifactTypeId, piece: Taken<T>): T | null {
    if ('value' in piece) return piece.value
    this.note(id, piece.reason, piece.error)
    return null
  }

  note(id: ArtifactTypeId, reason: MissingReason, error: string): void {
    this.found.push({ id, reason })
    this.#tell({ id, reason, error })
  }
}

function artifactOf(typeId: ArtifactTypeId, contentType: string, bytes: Uint8Array): CheckArtifact {
  return { typeId, contentType, bytes }
}

/** The first few errors, for people. */
export function resourceErrorText(errors: PageWatch['resourceErrors']): string {
  const shown = errors.slice(0, 5).map(({ url, reason }) => `${url.slice(0, 300)}: ${reason}`)
  return errors.length > shown.length ? `${shown.join('; ')}; ${errors.length - shown.length} more` : shown.join('; ')
}

async function readContent(watch: PageWatch, secrets: readonly string[]): Promise<CheckArtifact | null> {
  const response = watch.response()
  if (response === null) return null
  const contentType = (await response.headerValue('content-type')) ?? ''
  const body = (await response.body()).subarray(0, largestContentBytes)
  return { typeId: 'content', contentType, bytes: hideSecretsInBytes(body, secrets) }
}

async function headersOf(watch: PageWatch): Promise<string | null> {
  const response = watch.response()
  if (response === null) return null
  const lines = (await response.headersArray()).map(shownHeader).map(({ name, value }) => `${name}: ${value}`)
  const version = protocolName(await response.httpVersion())
  return [`${version} ${response.status()} ${response.statusText()}`.trimEnd(), ...lines].join('\n')
}

async function readHar(archive: Archive, view: HarView): Promise<Uint8Array> {
  return Buffer.from(await archive.har(view))
}
