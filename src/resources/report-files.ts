import { findReportFile, openReportFile, type ReportFileKind } from '../database/reports.ts'
import type { ByteRange } from '../domain/byte-range.ts'
import { formatMoment } from '../domain/time.ts'
import type { Answer, AnswerDescription, Call, Operation } from '../rest/call.ts'
import { locatedRow } from '../rest/locate.ts'
import { pathParameters } from '../rest/parameter-descriptions.ts'
import { refuse } from '../rest/problems.ts'
import { schemaOf } from '../rest/schemas.ts'
import { reportDocument } from './report-document.ts'

const contentTypes = { json: 'application/json', pdf: 'application/pdf' } as const

/** `report-12-dostepnosc-sklepu-2026-11-01.pdf`: plain letters alone, so that every system takes it. */
function fileNameOf(report: Readonly<Record<string, unknown>>, kind: ReportFileKind): string {
  const plain = String(report['name'])
    .replaceAll(/[łŁ]/g, 'l')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
  const day = formatMoment(Number(report['from'])).slice(0, 10)
  const stem = ['report', String(report['id']), plain, day].filter((part) => part !== '').join('-')
  return `${stem}.${kind}`
}

async function download(call: Call, kind: ReportFileKind): Promise<Answer> {
  const columns = ['id', 'name', 'from', 'status']
  const report = await locatedRow(call.registry.get('reports'), call, { flags: [], columns })
  const id = Number(report['id'])
  const file = await findReportFile(call.database, id, kind)
  if (file === null) return refuse(report['status'] === 'failed' ? 'not_found' : 'report_in_progress')
  const open = async (range: ByteRange) => (await openReportFile(call.database, id, kind, range)) ?? refuse('not_found')
  const headers = {
    'Content-Type': contentTypes[kind],
    'Content-Disposition': `attachment; filename="${fileNameOf(report, kind)}"`,
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, content: { ...file, open }, headers }
}

const downloadHeaders = {
  'Content-Disposition': 'File name.',
  ETag: 'Version of the bytes.',
  'Accept-Ranges': 'bytes',
}

function answersOf(about: string, content: Omit<AnswerDescription, 'about'>): Operation['answers'] {
  return {
    200: { about, ...content, headers: downloadHeaders },
    206: {
      about: 'The bytes that the Range header asks for.',
      contentType: content.contentType ?? contentTypes.json,
      schema: { type: 'string', format: 'binary' },
      headers: { ...downloadHeaders, 'Content-Range': 'Which bytes of how many.' },
    },
  }
}

/** `GET /reports/{_id}/json` (specification: Report templates and reports; choices §11) */
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
  refusals: [416, 422],
  handle: (call) => download(call, 'pdf'),
}
