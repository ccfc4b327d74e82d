import type { ArtifactStore } from '../../database/artifacts/store.ts'
import { always } from '../../domain/queries/condition.ts'
import type { Operation } from '../../rest/call.ts'
import { type Resource, resource, rowsOf } from '../../rest/declare.ts'
import { listRows } from '../../rest/operations/list.ts'
import { listParameters, pathParameters } from '../../rest/parameter-descriptions.ts'
import { listAnswer } from '../../rest/routes.ts'
import { downloadAnswers } from './download.ts'
import { evidenceDownloads } from './evidence-downloads.ts'
import { anyBytes, artifactFields, artifactOf, artifactsOf, artifactsPath, sendArtifact } from './kept-artifacts.ts'

const path = artifactsPath

/** Only listed below a check. */
export const artifacts: Resource = resource('artifacts', {
  about: 'Evidence of a failed check that can be downloaded.',
  singular: 'artifact',
  tag: 'history',
  source: rowsOf(() => []),
  fields: artifactFields,
  search: ['id'],
  visible: () => always(true),
  operations: [],
})

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
      return sendArtifact(store, await artifactOf(call, String(call.parameters['_artifact_id'])))
    },
  }
}

/** The list of a check's artifacts and their download. */
export function artifactOperations(store: ArtifactStore): readonly Operation[] {
  return [listing, downloadFrom(store), ...evidenceDownloads(store)]
}
