import { saveFile } from '../../parts/save-file.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { importWords } from './import-words.ts'

export interface RefusedRow {
  /** In the file. */
  readonly line: number
  readonly error: string
  readonly field?: string
  readonly message: string
}

/** The answer of the API; those of several parts are added up. */
export interface ImportReport {
  readonly asked: number
  readonly added: number
  readonly present: number
  readonly refused: readonly RefusedRow[]
}

export const emptyReport: ImportReport = { asked: 0, added: 0, present: 0, refused: [] }

export function together(one: ImportReport, other: ImportReport, lineOffset: number): ImportReport {
  return {
    asked: one.asked + other.asked,
    added: one.added + other.added,
    present: one.present + other.present,
    refused: [...one.refused, ...other.refused.map((row) => ({ ...row, line: row.line + lineOffset }))],
  }
}

/** Refused rows on the screen; the saved report has all. */
const mostShown = 20

/** Texts of the API alone, so no cell begins a formula. */
function reportFile(rows: readonly RefusedRow[]): Blob {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map(({ line, field = '', error, message }) => [line, field, error, cell(message)].join(','))
  return new Blob(['\uFEFF', ['line,column,error,message', ...lines, ''].join('\r\n')], { type: 'text/csv' })
}

export function Report({ report }: { readonly report: ImportReport }) {
  const words = useWords(importWords)
  const { format } = useReader()
  const { refused } = report
  const counts = [
    ...(['asked', 'added', 'present'] as const).map((name) => words[name](format.number(report[name]))),
    words.refused(format.number(refused.length)),
  ]
  return (
    <>
      <p>{counts.join(' · ')}</p>
      {refused.length === 0 ? null : (
        <>
          <table>
            <caption>{words.refusedRows}</caption>
            <thead>
              <tr>
                <th scope="col">{words.line}</th>
                <th scope="col">{words.column}</th>
                <th scope="col">{words.reason}</th>
              </tr>
            </thead>
            <tbody>
              {refused.slice(0, mostShown).map((row) => (
                <tr key={row.line}>
                  <td>{row.line}</td>
                  <td>{row.field ?? ''}</td>
                  <td>{row.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {refused.length > mostShown ? <p className="hint">{words.more(refused.length - mostShown)}</p> : null}
          <p>
            <button
              type="button"
              className="button small"
              onClick={() => saveFile(reportFile(refused), 'refused-subscribers.csv')}
            >
              {words.save}
            </button>
          </p>
        </>
      )}
    </>
  )
}
