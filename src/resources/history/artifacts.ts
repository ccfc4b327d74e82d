import type { ArtifactStore } from '../../database/artifacts.ts'
import { always } from '../../domain/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Resource, resource, rowsOf } from '../../rest/declare.ts'
import { integer, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { listRows } from '../../rest/operations/list.ts'
import { listParameters, pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { listAnswer } from '../../rest/routes.ts'

const path = '/services/{_id}/history/analyses/{_analysis_id}/checks/{_sensor_id}/artifacts'
const column = { readOnly: true, filter: true, sort: true } as const

/** Only listed below a check. */
export const artifacts: Resource = resource('artifacts', {
  about: 'Evidence of a failed check that can be downloaded.',
  singular: 'artifact',
  tag: 'history',
  source: rowsOf(() => []),
  fields: {
    id: text({ ...column, oneOf: ['content'], about: 'content: the page as it was received.', example: 'content' }),
    content_type: text({ ...column, example: 'text/html' }),
    file_name: text({ ...column, example: 'content.html' }),
    size: integer({ ...column, minimum: 0, about: 'Bytes.', example: 5120 }),
  },
  search: ['id'],
  visible: () => always(true),
  operations: [],
})

interface Content {
  readonly bytes: Buffer
  readonly contentType: string
  readonly fileName: string
}

const extensions: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/json': 'json',
  'text/plain': 'txt',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

/** A name of our own making: what a hostile page calls itself never reaches a header. */
function nameFor(details: Readonly<Record<string, unknown>>, type: string): string {
  const stem = `service-${details['service_id']}-analysis-${details['analysis_id']}-sensor-${details['sensor_id']}`
  return `${stem}.${extensions[type] ?? 'bin'}`
}

async function contentOf(call: Call, store: ArtifactStore): Promise<Content | null> {
  const details = await locatedRow(call.registry.get('check_details'), call, { flags: [] })
  const key = details['content_key']
  const bytes = typeof key === 'string' ? await store.read(key) : null
  if (bytes === null) return null
  const [type = ''] = String(details['content_type'] ?? '').split(';')
  const contentType = /^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream'
  return { bytes, contentType, fileName: nameFor(details, contentType) }
}

/** The list of a check's artifacts and their download. */
export function artifactOperations(store: ArtifactStore): readonly Operation[] {
  return [
    {
      id: 'artifacts.list',
      method: 'GET',
      path,
      tag: 'history',
      summary: 'Artifacts of a check',
      access: 'customer',
      parameters: [...pathParameters(path), ...listParameters(artifacts)],
      answers: listAnswer(artifacts),
      async handle(call) {
        const found = await contentOf(call, store)
        const rows =
          found === null
            ? []
            : [{ id: 'content', content_type: found.contentType, file_name: found.fileName, size: found.bytes.length }]
        return listRows(artifacts, call, rows)
      },
    },
    {
      id: 'artifacts.plain',
      method: 'GET',
      path: `${path}/{_artifact_id}/plain`,
      tag: 'history',
      summary: 'Artifact content',
      about: 'Downloaded, never shown inline: the bytes are a stranger’s.',
      access: 'customer',
      parameters: pathParameters(`${path}/{_artifact_id}`),
      answers: {
        200: {
          about: 'The bytes, with their own content type.',
          contentType: 'application/octet-stream',
          schema: { type: 'string', format: 'binary' },
          headers: { 'Content-Disposition': 'File name.' },
        },
      },
      async handle(call) {
        const found = call.parameters['_artifact_id'] === 'content' ? await contentOf(call, store) : null
        const { bytes, contentType, fileName } = found ?? refuse('not_found')
        const headers = {
          'Content-Type': contentType,
          'Content-Disposition': `attachment; filename="${fileName}"`,
          'Content-Security-Policy': "sandbox; default-src 'none'",
          'X-Content-Type-Options': 'nosniff',
        }
        return { status: 200, bytes, headers }
      },
    },
  ]
}
