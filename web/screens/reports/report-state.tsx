import { useState } from 'react'
import type { Report } from '../../api/answers.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useWords } from '../../words/words.ts'
import { type ShownReport, savePdf } from './report-queries.ts'
import { reportWords } from './words.ts'

const icons: Readonly<Record<Report['status'], IconName>> = {
  pending: 'unknown',
  in_progress: 'again',
  completed: 'ok',
  failed: 'failure',
}

export function ReportStatus({ report }: { readonly report: ShownReport }) {
  const words = useWords(reportWords)
  return (
    <span className={`report-status ${report.status}`}>
      <Icon name={icons[report.status]} />
      {words.status[report.status]}
      {report.error_message === null ? null : <span className="problem">{report.error_message}</span>}
    </span>
  )
}

/** How far a report is that is being made. */
export function Progress({ report }: { readonly report: ShownReport }) {
  const words = useWords(reportWords)
  return (
    <label className="making">
      <span>
        {words.status[report.status]}: {words.progress(report.progress)}
      </span>
      <progress max={100} value={report.progress} />
    </label>
  )
}

export function SaveButton({ report, isSmall = false }: { readonly report: ShownReport; readonly isSmall?: boolean }) {
  const words = useWords(reportWords)
  const [error, setError] = useState<Error | null>(null)
  const save = () => {
    setError(null)
    savePdf(report).catch(setError)
  }
  return (
    <>
      <button
        type="button"
        className={isSmall ? 'button small' : 'button primary'}
        aria-label={isSmall ? words.pdfOf(report.name) : undefined}
        onClick={save}
      >
        {isSmall ? 'PDF' : words.pdf}
      </button>
      {error === null ? null : (
        <span className="problem" role="alert">
          <Reason error={error} />
        </span>
      )}
    </>
  )
}
