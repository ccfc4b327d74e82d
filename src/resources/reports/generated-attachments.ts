import { downloadToken, linkLasts, readDownloadKey, readDownloadToken } from '../../auth/download-links.ts'
import { findReportFile } from '../../database/reports/reports.ts'
import { reportAttachmentTypeIds } from '../../domain/dictionaries.ts'
import { always } from '../../domain/queries/condition.ts'
import type { ReportFileKind } from '../../domain/reports/report-file.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Resource, resource, rowsOf } from '../../rest/declare.ts'
import { integer, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { listRows } from '../../rest/operations/list.ts'
import { listParameters, pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { listAnswer } from '../../rest/routes.ts'
import { shownSchemaOf } from '../../rest/schemas.ts'
import { linkToken } from '../history/download.ts'
import { attachmentAnswers, contentTypes, fileNamesOf, reportColumns, sendReportFile } from './report-files.ts'

const path = '/reports/{_id}/generated_attachments'
const ofType = `${path}/{_type_id}`
const information = '/reports/{_report_id}/generated_attachments/{_type_id}'
const described = { method: 'GET', tag: 'reports', access: 'customer' } as const

const column = { readOnly: true, filter: true, sort: true } as const
const fields = {
  attachment_type_id: text({
    ...column,
    oneOf: reportAttachmentTypeIds,
    about: 'Element of the dictionary report_attachment_types.',
    example: 'pdf',
  }),
  content_type: text({ ...column, example: 'application/pdf' }),
  file_name: text({ ...column, example: 'Weekly-2026-11-16-2026-11-22.pdf' }),
  size: integer({ ...column, minimum: 0, about: 'Bytes.', example: 40_960 }),
}

/** Only listed below a report. */
export const generatedAttachments: Resource = resource('generated_attachments', {
  about: 'The files of a report that are ready.',
  singular: 'attachment of a report',
  tag: 'reports',
  source: rowsOf(() => []),
  key: ['attachment_type_id'],
  fields,
  search: ['attachment_type_id', 'file_name'],
  visible: () => always(true),
  operations: [],
})

interface Attachment {
  readonly attachment_type_id: ReportFileKind
  readonly content_type: string
  readonly file_name: string
  readonly size: number
}

/** The report that the path names. */
function reportOf(call: Call) {
  const { _report_id: named, ...parameters } = call.parameters
  const located = named === undefined ? call : { ...call, parameters: { ...parameters, _id: named } }
  return locatedRow(call.registry.get('reports'), located, { flags: [], columns: reportColumns })
}

/** The ready files of the report, and its id. */
async function attachmentsOf(call: Call): Promise<{ readonly id: number; readonly ready: readonly Attachment[] }> {
  const report = await reportOf(call)
  const id = Number(report['id'])
  const found = await Promise.all(
    reportAttachmentTypeIds.map(async (kind): Promise<readonly Attachment[]> => {
      const file = await findReportFile(call.database, id, kind)
      if (file === null) return []
      const { plain } = await fileNamesOf(call, report, kind)
      return [{ attachment_type_id: kind, content_type: contentTypes[kind], file_name: plain, size: file.size }]
    }),
  )
  return { id, ready: found.flat() }
}

async function attachmentOf(call: Call) {
  const { id, ready } = await attachmentsOf(call)
  const attachment =
    ready.find(({ attachment_type_id: type }) => type === call.parameters['_type_id']) ?? refuse('not_found')
  return { id, attachment }
}

const listing: Operation = {
  ...described,
  id: 'generated_attachments.list',
  path,
  summary: 'Files of a report that are ready',
  parameters: [...pathParameters(path), ...listParameters(generatedAttachments)],
  answers: listAnswer(generatedAttachments),
  async handle(call) {
    const { ready } = await attachmentsOf(call)
    return listRows(
      generatedAttachments,
      call,
      ready.map((attachment) => ({ ...attachment })),
    )
  },
}

const reading: Operation = {
  ...described,
  id: 'generated_attachments.read',
  path: information,
  summary: 'Information about one file of a report',
  about: 'With a link that downloads it without a login for an hour.',
  parameters: pathParameters(information),
  answers: {
    200: {
      about: 'The file.',
      schema: shownSchemaOf({
        ...fields,
        download_url: text({ about: 'Anybody who has it can download the file, for an hour.' }),
      }),
    },
  },
  async handle(call) {
    const { id, attachment } = await attachmentOf(call)
    const { attachment_type_id: key, content_type: type, file_name: name, size } = attachment
    const signing = await readDownloadKey(call.database)
    const token = downloadToken(signing, { of: String(id), key, type, name, size }, call.nowAt + linkLasts)
    const place = `/reports/${id}/generated_attachments/${key}/by_token/${encodeURIComponent(name)}`
    return { status: 200, body: { ...attachment, download_url: `${call.baseUrl}${place}?token=${token}` } }
  },
}

interface SentAs {
  readonly id: number
  readonly kind: ReportFileKind
  readonly name: string
}

async function sentAs(call: Call, { name, ...file }: SentAs) {
  return (await sendReportFile(call, { ...file, names: { plain: name, full: name } })) ?? refuse('not_found')
}

const plain: Operation = {
  ...described,
  id: 'generated_attachments.plain',
  path: `${ofType}/plain`,
  summary: 'A file of a report',
  parameters: pathParameters(ofType),
  answers: attachmentAnswers,
  hasRanges: true,
  refusals: [416],
  async handle(call) {
    const { id, attachment } = await attachmentOf(call)
    return sentAs(call, { id, kind: attachment.attachment_type_id, name: attachment.file_name })
  },
}

/** A file of the report by the token of `download_url`, whoever calls. */
function byToken(id: string, place: string, kindOf: (call: Call) => string | undefined): Operation {
  return {
    ...described,
    id,
    path: place,
    summary: 'A file of a report by the token of a link',
    about: 'The link is in `download_url` of the file and works for an hour, whoever calls it.',
    access: 'open',
    parameters: [...pathParameters(place), linkToken],
    answers: attachmentAnswers,
    hasRanges: true,
    refusals: [404, 416],
    async handle(call) {
      const signing = await readDownloadKey(call.database)
      const file = readDownloadToken(signing, call.query.get('token') ?? '', call.nowAt)
      const kind = reportAttachmentTypeIds.find((type) => type === kindOf(call))
      if (file === null || kind === undefined || file.key !== kind) return refuse('not_found')
      if (file.of !== call.parameters['_id'] || file.name !== call.parameters['file_name']) return refuse('not_found')
      return sentAs(call, { id: Number(file.of), kind, name: file.name })
    },
  }
}

/** The files of reports as Interface 3.51 names them. */
export const attachmentOperations: readonly Operation[] = [
  listing,
  reading,
  plain,
  byToken(
    'generated_attachments.by_token',
    `${ofType}/by_token/{file_name}`,
    ({ parameters }) => parameters['_type_id'],
  ),
  byToken('reports.pdf_by_token', '/reports/{_id}/pdf/by_token/{file_name}', () => 'pdf'),
]
