import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { createFormat } from '../../format/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { DialogFrame } from './dialog-frame.tsx'
import { RemoveForm } from './remove-form.tsx'
import { Overview, Point } from './report-points.tsx'
import { isWorking, type ShownReport, useDocument, useReport } from './report-queries.ts'
import { Progress, ReportStatus, SaveButton } from './report-state.tsx'
import { reportWords } from './words.ts'
import './reports.css'

/** A report as a page. */
export function ReportScreen({ id }: { readonly id: number }) {
  const words = useWords(reportWords)
  const { data: report, error, refetch } = useReport(id)
  useEffect(() => showTitle(report?.name ?? words.title), [report?.name, words])
  if (report === undefined)
    return error === null ? <Loading what={words.whatReport} /> : <Trouble error={error} again={() => void refetch()} />
  return (
    <article className="report stack">
      <Head report={report} />
      {isWorking(report) ? (
        <Progress report={report} />
      ) : report.status === 'failed' ? (
        <ReportStatus report={report} />
      ) : null}
      {report.generating_status === 'completed' ? <Content report={report} /> : null}
    </article>
  )
}

function Head({ report }: { readonly report: ShownReport }) {
  const words = useWords(reportWords)
  const { format } = useReader()
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
        <DialogFrame gone={() => setRemoving(false)}>
          {(close) => (
            <RemoveForm
              path={`/reports/${report.id}`}
              name={report.name}
              text={words.removeReport}
              close={() => {
                close()
                go('/reports')
              }}
            />
          )}
        </DialogFrame>
      ) : null}
    </header>
  )
}

function Content({ report }: { readonly report: ShownReport }) {
  const words = useWords(reportWords)
  const { language } = useReader()
  const { data, error, refetch } = useDocument(report.id, true)
  if (data === undefined)
    return error === null ? <Loading what={words.whatReport} /> : <Trouble error={error} again={() => void refetch()} />
  if (data.results.length === 0) return <p className="empty">{words.empty}</p>
  // Days and hours are those of the report, whoever reads it.
  const format = createFormat(language, data.report.time_zone)
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
