import { type ArtifactStore, digestOf } from '../../database/artifacts/store.ts'
import { artifactTypeIds } from '../../domain/dictionaries.ts'
import type { ByteRange } from '../../domain/queries/byte-range.ts'
import type { Answer, Call } from '../../rest/call.ts'
import { boolean, integer, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { refuse } from '../../rest/problems.ts'
import { downloadGuards } from './download.ts'

export const artifactsPath = '/services/{_id}/history/analyses/{_analysis_id}/checks/{_sensor_id}/artifacts'

const column = { readOnly: true, filter: true, sort: true } as const

export const artifactFields = {
  id: text({ ...column, oneOf: artifactTypeIds, about: 'Element of artifact_types.', example: 'content' }),
  content_type: text({ ...column, example: 'text/html' }),
  file_name: text({ ...column, example: 'content.html' }),
  size: integer({ ...column, minimum: 0, about: 'Bytes that can be downloaded.', example: 5120 }),
  is_truncated: boolean({ ...column, about: 'There was more of it: only so many bytes are kept.', example: false }),
}

const bytes = { type: 'string', format: 'binary' } as const

/** A HAR file and a picture have types of their own; a content has the one that its server named. */
export const anyBytes = {
  contentType: 'application/octet-stream',
  schema: bytes,
  others: { 'text/html': bytes, 'application/json': {}, 'image/jpeg': bytes, '*/*': bytes },
} as const

/** An artifact as the history names it; as it is shown it has a name too. */
interface KeptArtifact {
  readonly id: string
  /** Where its bytes are kept. */
  readonly key: string
  readonly content_type: string
  readonly size: number
  readonly is_truncated?: boolean
}

export interface Artifact extends Required<KeptArtifact> {
  readonly file_name: string
}

const extensions: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/json': 'json',
  'text/plain': 'txt',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}

/** A name of our own making: what a hostile page calls itself never reaches a header. */
function nameFor(details: Readonly<Record<string, unknown>>, id: string, type: string): string {
  const stem = `service-${details['service_id']}-analysis-${details['analysis_id']}-sensor-${details['sensor_id']}`
  const suffix = id === 'content' ? '' : `-${id}`
  return id === 'har' ? `${stem}.har` : `${stem}${suffix}.${extensions[type] ?? 'bin'}`
}

/** The type and the charset, of what a stranger wrote into a header. */
function typeOf(named: string): { readonly media: string; readonly whole: string } {
  const [type = '', ...parameters] = named.split(';').map((part) => part.trim().toLowerCase())
  const media = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream'
  const charset = parameters
    .map((part) => /^charset="?([\w.:+-]{1,40})"?$/.exec(part)?.[1])
    .find((name) => name !== undefined)
  return { media, whole: charset === undefined || media !== type ? media : `${media}; charset=${charset}` }
}

/** The artifacts of the check that the path names. */
export async function artifactsOf(call: Call): Promise<readonly Artifact[]> {
  const details = await locatedRow(call.registry.get('check_details'), call, { flags: [] })
  const kept = details['artifacts'] as readonly KeptArtifact[]
  return kept.map((artifact) => {
    const { media, whole } = typeOf(artifact.content_type)
    const file_name = nameFor(details, artifact.id, media)
    return { is_truncated: false, ...artifact, content_type: whole, file_name }
  })
}

/** One of them, by its id. */
export async function artifactOf(call: Call, id: string): Promise<Artifact> {
  return (await artifactsOf(call)).find((artifact) => artifact.id === id) ?? refuse('not_found')
}

type Sent = Pick<Artifact, 'key' | 'size' | 'content_type' | 'file_name'>

/** Its bytes, whole or a range of them. */
export function sendArtifact(
  store: ArtifactStore,
  { key, size, content_type: type, file_name: fileName }: Sent,
): Answer {
  const content = {
    size,
    digest: digestOf(key),
    open: async (range: ByteRange) => (await store.open(key, range)) ?? refuse('not_found'),
  }
  return { status: 200, content, headers: { 'Content-Type': type, ...downloadGuards(fileName) } }
}
