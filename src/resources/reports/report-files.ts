import sql from 'sql-template-tag'
import { findReportFile, openReportFile } from '../../database/reports/reports.ts'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import type { ByteRange } from '../../domain/queries/byte-range.ts'
import type { Row } from '../../domain/queries/condition.ts'
import {
  attachmentHeader,
  type FileNames,
  type ReportFileKind,
  reportFileNames,
} from '../../domain/reports/report-file.ts'
import type { Answer, AnswerDescription, Call, Operation } from '../../rest/call.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { reportDocument } from './report-document.ts'

export const contentTypes = { json: 'application/json', pdf: 'application/pdf' } as const

/** The columns of a report that its files need. */
export const reportColumns = ['id', 'name', 'owner_id', 'from', 'to', 'status']

export async function fileNamesOf({ database }: Call, report: Row, kind: ReportFileKind): Promise<FileNames> {
  const [owner] = await database.query<{ time_zone_id: string }>(sql`
    select time_zone_id from accounts where id = ${Number(report['owner_id'])}`)
  const { id, name, from, to } = report
  const named = { id: Number(id), name: String(name), fromAt: Number(from), toAt: Number(to) }
  return reportFileNames(named, timeZoneName(owner?.time_zone_id ?? '') ?? 'UTC', kind)
}

interface SentFile {
  readonly id: number
  readonly kind: ReportFileKind
  readonly names: FileNames
}

/** A file of the report, whole or a range of it; null while it is not ready. */
export async function sendReportFile({ database }: Call, { id, kind, names }: SentFile): Promise<Answer | null> {
  const file = await findReportFile(database, id, kind)
  if (file === null) return null
  const open = async (range: ByteRange) => (await openReportFile(database, id, kind, range)) ?? refuse('not_found')
  const headers = {
    'Content-Type': contentTypes[kind],
    'Content-Disposition': attachmentHeader(names),
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, content: { ...file, open }, headers }
}

async function download(call: Call, kind: ReportFileKind): Promise<Answer> {
  const report = await locatedRow(call.registry.get('reports'), call, { flags: [], columns: reportColumns })
  const names = await fileNamesOf(call, report, kind)
  const answer = await sendReportFile(call, { id: Number(report['id']), kind, names })
  return answer ?? refuse(report['status'] === 'failed' ? 'not_found' : 'report_in_progress')
}

const downloadHeaders = {
  'Content-Disposition': 'File name: the name of the report and its days, in plain letters and in UTF-8 (RFC 6266).',
  ETag: 'Version of the bytes.',
  'Accept-Ranges': 'bytes',
}

function answersOf(about: string, content: Omit<AnswerDescription, 'about'>): Operation['answers'] {
  return {
    200: { about, ...content, headers: downloadHeaders },
    206: {
      about: 'The bytes that the Range header asks for.',
      contentType: content.contentType ?? contentTypes.json,
      // JSON has no type here, because the bytes may also be the whole document.
      schema:
        content.schema?.['format'] === 'binary'
          ? content.schema
          : { description: 'Bytes of the document, as a rule none by themselves.' },
      headers: { ...downloadHeaders, 'Content-Range': 'Which bytes of how many.' },
    },
  }
}

/** The answers with a file of either kind. */
export const attachmentAnswers = answersOf('The bytes of the file.', {
  contentType: 'application/octet-stream',
  schema: { type: 'string', format: 'binary' },
  others: { [contentTypes.json]: {}, [contentTypes.pdf]: { type: 'string', format: 'binary' } },
})

/** `GET /reports/{_id}/json` (specification: Report templates and reports; answers §11) */
export const reportJson: Operation = {
  id: 'reports.json',
  method: 'GET',
  path: '/reports/{_id}/json',
  tag: 'reports',
  summary: 'Data of a report',
  about: 'There as soon as generating_status is completed; before that the answer is report_in_progress.',
  access: 'customer',
  parameters: pathParameters('/reports/{_id}/json'),
  answers: answersOf('A point for each part of the scope.', { schema: schemaOf(reportDocument) }),
  hasRanges: true,
  refusals: [416, 422],
  handle: (call) => download(call, 'json'),
}

/** `GET /reports/{_id}/pdf` */
export const reportPdf: Operation = {
  id: 'reports.pdf',
  method: 'GET',
  path: '/reports/{_id}/pdf',
  tag: 'reports',
  summary: 'Document of a report',
  about: 'There as soon as the status is completed; before that the answer is report_in_progress.',
  access: 'customer',
  parameters: pathParameters('/reports/{_id}/pdf'),
  answers: answersOf('The document.', {
    contentType: contentTypes.pdf,
    schema: { type: 'string', format: 'binary' },
  }),
  hasRanges: true,
  refusals: [416, 422],
  handle: (call) => download(call, 'pdf'),
}
