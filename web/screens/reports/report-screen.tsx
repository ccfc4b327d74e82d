import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { createFormat, type Format } from '../../format/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { NothingYet } from './nothing-yet.tsx'
import { RemoveForm } from './remove-form.tsx'
import { Overview, Point } from './report-points.tsx'
import { isWorking, type ShownReport, useDocument, useReport } from './report-queries.ts'
import { Progress, ReportStatus, SaveButton } from './report-state.tsx'
import { reportWords } from './words.ts'

/** A report as a page. */
export function ReportScreen({ id }: { readonly id: number }) {
  const words = useWords(reportWords)
  const { language, zone } = useReader()
  const { data: report, error, refetch } = useReport(id)
  const document = useDocument(id, report?.generating_status === 'completed')
  useEffect(() => showTitle(report?.name ?? words.title), [report?.name, words])
  if (report === undefined)
    return error === null ? <Loading what={words.whatReport} /> : <Trouble error={error} again={() => void refetch()} />
  // Days and hours are those of the report, whoever reads it.
  const format = createFormat(language, document.data?.report.time_zone ?? zone)
  return (
    <article className="report stack">
      <Head report={report} format={format} />
      {isWorking(report) ? (
        <Progress report={report} />
      ) : report.status === 'failed' ? (
        <ReportStatus report={report} />
      ) : null}
      {report.generating_status === 'completed' ? <NothingYet until={Date.parse(report.to)} /> : null}
      {report.generating_status === 'completed' ? <Content document={document} format={format} /> : null}
    </article>
  )
}

function Head({ report, format }: { readonly report: ShownReport; readonly format: Format }) {
  const words = useWords(reportWords)
  const [, go] = useLocation()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <header className="report-head">
      <p className="dim">
        <Link href="/reports">{words.back}</Link>
        {report.template === null ? null : (
          <>
            {' / '}
            <Link href={`/reports?template_id=${report.template_id}`}>{report.template.name}</Link>
          </>
        )}
      </p>
      <h1>{report.name}</h1>
      <p>
        <b>
          {format.moment(report.from)} – {format.moment(report.to)}
        </b>{' '}
        <span className="hint">{format.zone}</span>
      </p>
      {report.description === '' ? null : <p>{report.description}</p>}
      <p className="hint">
        {words.made(format.moment(report.created_at))}.{' '}
        {report.email_addresses.length === 0 || isWorking(report)
          ? null
          : words.mailed(report.email_addresses.join(', '))}
      </p>
      <div className="row">
        {report.rendering_status === 'completed' ? (
          <SaveButton report={report} />
        ) : report.generating_status === 'completed' && report.status !== 'failed' ? (
          <span className="dim">{words.pdfLater}</span>
        ) : null}
        {report.permissions['delete'] === true ? (
          <button type="button" className="button" onClick={() => setRemoving(true)}>
            {words.remove}
          </button>
        ) : null}
      </div>
      {isRemoving ? (
        <RemoveForm
          path={`/reports/${report.id}`}
          name={report.name}
          text={words.removeReport}
          done={() => go('/reports')}
          closed={() => setRemoving(false)}
        />
      ) : null}
    </header>
  )
}

interface ContentProps {
  readonly document: ReturnType<typeof useDocument>
  readonly format: Format
}

function Content({ document: { data, error, refetch }, format }: ContentProps) {
  const words = useWords(reportWords)
  if (data === undefined)
    return error === null ? <Loading what={words.whatReport} /> : <Trouble error={error} again={() => void refetch()} />
  if (data.results.length === 0) return <p className="empty">{words.empty}</p>
  const keyed = data.results.map((point, index) => ({ point, id: `point-${index + 1}` }))
  return (
    <>
      <Overview points={keyed} />
      {keyed.map(({ point, id }) => (
        <Point key={id} id={id} point={point} format={format} />
      ))}
    </>
  )
}
