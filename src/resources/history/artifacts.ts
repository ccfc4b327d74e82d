import { type ArtifactStore, digestOf } from '../../database/artifacts/store.ts'
import type { ByteRange } from '../../domain/byte-range.ts'
import { always } from '../../domain/condition.ts'
import { artifactTypeIds } from '../../domain/dictionaries.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Resource, resource, rowsOf } from '../../rest/declare.ts'
import { boolean, integer, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { listRows } from '../../rest/operations/list.ts'
import { listParameters, pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { listAnswer } from '../../rest/routes.ts'
import { downloadAnswers, downloadGuards } from './download.ts'

const path = '/services/{_id}/history/analyses/{_analysis_id}/checks/{_sensor_id}/artifacts'
const column = { readOnly: true, filter: true, sort: true } as const

/** Only listed below a check. */
export const artifacts: Resource = resource('artifacts', {
  about: 'Evidence of a failed check that can be downloaded.',
  singular: 'artifact',
  tag: 'history',
  source: rowsOf(() => []),
  fields: {
    id: text({ ...column, oneOf: artifactTypeIds, about: 'Element of artifact_types.', example: 'content' }),
    content_type: text({ ...column, example: 'text/html' }),
    file_name: text({ ...column, example: 'content.html' }),
    size: integer({ ...column, minimum: 0, about: 'Bytes that can be downloaded.', example: 5120 }),
    is_truncated: boolean({ ...column, about: 'There was more of it: only so many bytes are kept.', example: false }),
  },
  search: ['id'],
  visible: () => always(true),
  operations: [],
})

/** An artifact as the history names it; as it is shown it has a name too. */
interface KeptArtifact {
  readonly id: string
  /** Where its bytes are kept. */
  readonly key: string
  readonly content_type: string
  readonly size: number
  readonly is_truncated?: boolean
}

interface Artifact extends Required<KeptArtifact> {
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

async function artifactsOf(call: Call): Promise<readonly Artifact[]> {
  const details = await locatedRow(call.registry.get('check_details'), call, { flags: [] })
  const kept = details['artifacts'] as readonly KeptArtifact[]
  return kept.map((artifact) => {
    const { media, whole } = typeOf(artifact.content_type)
    const file_name = nameFor(details, artifact.id, media)
    return { is_truncated: false, ...artifact, content_type: whole, file_name }
  })
}

const listing: Operation = {
  id: 'artifacts.list',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Artifacts of a check',
  access: 'customer',
  parameters: [...pathParameters(path), ...listParameters(artifacts)],
  answers: listAnswer(artifacts),
  async handle(call) {
    const found = await artifactsOf(call)
    return listRows(
      artifacts,
      call,
      found.map(({ key: _kept, ...shown }) => shown),
    )
  },
}

const bytes = { type: 'string', format: 'binary' } as const

/** A HAR file and a picture have types of their own; a content has the one that its server named. */
const anyBytes = {
  contentType: 'application/octet-stream',
  schema: bytes,
  others: { 'text/html': bytes, 'application/json': {}, 'image/jpeg': bytes, '*/*': bytes },
} as const

function downloadFrom(store: ArtifactStore): Operation {
  return {
    id: 'artifacts.plain',
    method: 'GET',
    path: `${path}/{_artifact_id}/plain`,
    tag: 'history',
    summary: 'Artifact content',
    about:
      'Downloaded, never shown inline: the bytes are a stranger’s. Takes a Range of bytes, with or without If-Range.',
    access: 'customer',
    parameters: pathParameters(`${path}/{_artifact_id}`),
    answers: downloadAnswers(anyBytes),
    hasRanges: true,
    refusals: [416],
    async handle(call) {
      const artifact = (await artifactsOf(call)).find(({ id }) => id === call.parameters['_artifact_id'])
      const { key, size, content_type: contentType, file_name: fileName } = artifact ?? refuse('not_found')
      const content = {
        size,
        digest: digestOf(key),
        open: async (range: ByteRange) => (await store.open(key, range)) ?? refuse('not_found'),
      }
      const headers = {
        'Content-Type': contentType,
        ...downloadGuards(fileName),
      }
      return { status: 200, content, headers }
    },
  }
}

/** The list of a check's artifacts and their download. */
export function artifactOperations(store: ArtifactStore): readonly Operation[] {
  return [listing, downloadFrom(store)]
}
