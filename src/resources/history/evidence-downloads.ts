import { downloadToken, linkLasts, readDownloadKey, readDownloadToken } from '../../auth/download-links.ts'
import type { ArtifactStore } from '../../database/artifacts/store.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { shownSchemaOf } from '../../rest/schemas.ts'
import { zipOf } from '../../rest/zip.ts'
import { downloadAnswers, downloadGuards, linkToken } from './download.ts'
import { anyBytes, artifactFields, artifactOf, artifactsPath, sendArtifact } from './kept-artifacts.ts'

const path = `${artifactsPath}/{_artifact_id}`
const check = artifactsPath.slice(0, artifactsPath.lastIndexOf('/'))
const described = { method: 'GET', tag: 'history', access: 'customer' } as const

/** The artifact that a path names, for its link alone. */
function placeOf({ parameters }: Call): string {
  return ['_id', '_analysis_id', '_sensor_id', '_artifact_id'].map((name) => parameters[name]).join('/')
}

const information: Operation = {
  ...described,
  id: 'artifacts.read',
  path,
  summary: 'Information about one artifact',
  about: 'With a link that downloads it without a login for an hour.',
  parameters: pathParameters(path),
  answers: {
    200: {
      about: 'The artifact.',
      schema: shownSchemaOf({
        ...artifactFields,
        download_url: text({ about: 'Anybody who has it can download the artifact, for an hour.' }),
      }),
    },
  },
  async handle(call) {
    const { key, ...shown } = await artifactOf(call, String(call.parameters['_artifact_id']))
    const { content_type: type, file_name: name, size } = shown
    const signing = await readDownloadKey(call.database)
    const token = downloadToken(signing, { of: placeOf(call), key, type, name, size }, call.nowAt + linkLasts)
    const place = path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) => call.parameters[parameter] ?? '')
    return { status: 200, body: { ...shown, download_url: `${call.baseUrl}${place}/by_token/${name}?token=${token}` } }
  },
}

function byToken(store: ArtifactStore): Operation {
  return {
    ...described,
    id: 'artifacts.by_token',
    path: `${path}/by_token/{file_name}`,
    summary: 'Artifact content by the token of a link',
    about: 'The link is in `download_url` of the artifact and works for an hour, whoever calls it.',
    access: 'open',
    parameters: [...pathParameters(`${path}/by_token/{file_name}`), linkToken],
    answers: downloadAnswers(anyBytes),
    hasRanges: true,
    refusals: [404, 416],
    async handle(call) {
      const signing = await readDownloadKey(call.database)
      const file = readDownloadToken(signing, call.query.get('token') ?? '', call.nowAt)
      if (file === null || file.of !== placeOf(call) || file.name !== call.parameters['file_name'])
        return refuse('not_found')
      return sendArtifact(store, { ...file, content_type: file.type, file_name: file.name })
    },
  }
}

function zipped(store: ArtifactStore): Operation {
  return {
    ...described,
    id: 'artifacts.zip',
    path: `${path}/zip`,
    summary: 'Artifact content as a ZIP file',
    parameters: pathParameters(path),
    answers: {
      200: {
        about: 'A ZIP file with the artifact.',
        contentType: 'application/zip',
        schema: { type: 'string', format: 'binary' },
        headers: { 'Content-Disposition': 'File name.' },
      },
    },
    async handle(call) {
      const { key, size, file_name: name } = await artifactOf(call, String(call.parameters['_artifact_id']))
      const bytes = (await store.open(key, { start: 0, end: size })) ?? refuse('not_found')
      return {
        status: 200,
        bytes: await zipOf(name, bytes),
        headers: { ...zipHeaders, ...downloadGuards(`${name}.zip`) },
      }
    },
  }
}

const zipHeaders = { 'Content-Type': 'application/zip' }

/** The older paths of two artifacts, which Interface 3.51 calls deprecated. */
const older = [
  { id: 'checks.content', path: 'content', artifact: 'content', summary: 'Page content at the time of the failure' },
  { id: 'checks.har', path: 'har', artifact: 'har', summary: 'HAR file of a check' },
  {
    id: 'checks.uncompressed_content',
    path: 'uncompressed_content',
    artifact: 'content',
    summary: 'Page content at the time of the failure, never compressed',
  },
] as const

function olderDownloads(store: ArtifactStore): readonly Operation[] {
  return older.map(({ artifact, path: name, ...rest }) => ({
    ...described,
    ...rest,
    path: `${check}/${name}`,
    about: `The same as \`artifacts/${artifact}/plain\`.`,
    deprecated: true,
    parameters: pathParameters(check),
    answers: downloadAnswers(anyBytes),
    hasRanges: true,
    refusals: [416],
    handle: async (call: Call) => sendArtifact(store, await artifactOf(call, artifact)),
  }))
}

/** One artifact: what it is, by link, as a ZIP file, and at the paths of older clients. */
export function evidenceDownloads(store: ArtifactStore): readonly Operation[] {
  return [information, byToken(store), zipped(store), ...olderDownloads(store)]
}
