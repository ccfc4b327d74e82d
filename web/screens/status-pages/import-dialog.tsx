import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { change } from '../../api/calls.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type CsvPart, csvParts } from './csv-parts.ts'
import { emptyReport, type ImportReport, Report, together } from './import-report.tsx'
import { importWords } from './import-words.ts'

const mostBytes = 5_000_000
const rowsEach = 500

interface Progress {
  readonly done: number
  readonly all: number
}

interface Import {
  readonly isPending: boolean
  readonly error: unknown
  readonly progress: Progress | null
  readonly report: ImportReport | null
  readonly isStopped: boolean
}

const notBegun: Import = { isPending: false, error: null, progress: null, report: null, isStopped: false }

/** Sends the parts one after another, and adds up their reports. */
function useImport(pageId: number) {
  const [state, setState] = useState(notBegun)
  const client = useQueryClient()
  const isWanted = useRef(true)
  useEffect(() => {
    isWanted.current = true
    return () => {
      isWanted.current = false
    }
  }, [])
  const send = async (parts: readonly CsvPart[], hasConsent: boolean) => {
    isWanted.current = true
    const all = parts.reduce((sum, { rows }) => sum + rows, 0)
    let [done, report] = [0, emptyReport]
    const told = (more: Partial<Import>) => setState({ ...notBegun, progress: { done, all }, report, ...more })
    told({ isPending: true })
    try {
      for (const { csv, rows, lineOffset } of parts) {
        const body = { csv, has_consent: hasConsent }
        const answer = await change('POST', `/status_pages/${pageId}/subscribers/import`, body)
        ;[done, report] = [done + rows, together(report, answer, lineOffset)]
        if (!isWanted.current) break
        told({ isPending: true })
      }
      told({ isStopped: done < all })
    } catch (error) {
      told({ error, isStopped: done > 0, report: done > 0 ? report : null })
    }
    await client.invalidateQueries({ queryKey: ['status_page_subscribers', pageId] })
  }
  const stop = () => {
    isWanted.current = false
  }
  return { ...state, send, stop }
}

interface DialogProps {
  readonly pageId: number
  readonly closed: () => void
}

/** Imports subscribers from a file, in parts, and shows the rows that were refused. */
export function ImportDialog({ pageId, closed }: DialogProps) {
  const words = useWords(importWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const [parts, setParts] = useState<readonly CsvPart[] | null>(null)
  const [hasConsent, setConsent] = useState(false)
  const { send, stop, isPending, error, progress, report, isStopped } = useImport(pageId)
  const isDone = report !== null && !isPending
  return (
    <Dialog ref={dialog} title={words.title} className="import-dialog" closed={closed}>
      <Form
        outcome={{ error, isPending, isSuccess: isDone }}
        submit={(settle) => {
          if (parts === null) return
          settle()
          void send(parts, hasConsent)
        }}
        isUnsaved={isPending}
        call={null}
        action={words.action}
        look="primary"
        isReady={parts !== null && !isPending}
        more={
          isPending ? (
            <button type="button" className="button" onClick={stop}>
              {words.stop}
            </button>
          ) : (
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              {words.close}
            </button>
          )
        }
      >
        <p>{words.about}</p>
        <FileField set={setParts} />
        <CheckField label={words.consent} checked={hasConsent} set={setConsent} />
        <p className="hint">{words.consentHint}</p>
        {progress === null ? null : <Bar progress={progress} />}
        <div role="status">
          {isDone ? <p>{isStopped ? words.stopped : words.done}</p> : null}
          {isDone ? <Report report={report} /> : null}
        </div>
      </Form>
    </Dialog>
  )
}

function Bar({ progress: { done, all } }: { readonly progress: Progress }) {
  const words = useWords(importWords)
  const { format } = useReader()
  const text = words.progress(format.number(done), format.number(all))
  return (
    <div className="row">
      <progress max={Math.max(1, all)} value={done} aria-label={words.bar} />
      <span>{text}</span>
    </div>
  )
}

/** Null until a file with rows is chosen. */
function FileField({ set }: { readonly set: (parts: readonly CsvPart[] | null) => void }) {
  const words = useWords(importWords)
  const id = useId()
  const [problem, setProblem] = useState('')
  const choose = async (file: File | undefined) => {
    set(null)
    setProblem(file !== undefined && file.size > mostBytes ? words.tooLarge : '')
    if (file === undefined || file.size > mostBytes) return
    try {
      const parts = csvParts(await file.text(), rowsEach)
      if (parts.length === 0) setProblem(words.nothing)
      else set(parts)
    } catch {
      setProblem(words.unreadable)
    }
  }
  return (
    <div className="field" data-field="csv">
      <label htmlFor={id}>{words.file}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-hint ${id}-problem`}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      <span id={`${id}-hint`} className="hint">
        {words.fileHint}
      </span>
      <span id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </span>
    </div>
  )
}
