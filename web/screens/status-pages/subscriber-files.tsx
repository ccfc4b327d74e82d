import { lazy, Suspense, useState } from 'react'
import { send } from '../../api/client.ts'
import { saveFile } from '../../parts/save-file.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { subscriberWords } from './subscriber-words.ts'

const ImportDialog = lazy(() => import('./import-dialog.tsx').then((file) => ({ default: file.ImportDialog })))

/** Spreadsheets take a file without this mark for one of the machine's old encodings. */
const byteOrderMark = '\uFEFF'

async function exportSubscribers(pageId: number): Promise<void> {
  const answer = await send(`/status_pages/${pageId}/subscribers/export`)
  saveFile(new Blob([byteOrderMark, await answer.blob()], { type: 'text/csv' }), `subscribers-${pageId}.csv`)
}

/** Saves the subscribers as a file, and takes some from one. */
export function SubscriberFiles({ pageId }: { readonly pageId: number }) {
  const words = useWords(subscriberWords)
  const { account } = useReader()
  const [isImporting, setImporting] = useState(false)
  const [problem, setProblem] = useState('')
  const save = () => {
    setProblem('')
    exportSubscribers(pageId).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : words.exportFailed),
    )
  }
  return (
    <div className="row">
      <button type="button" className="button small" onClick={save}>
        {words.export}
      </button>
      {account.is_read_only ? null : (
        <button type="button" className="button small" onClick={() => setImporting(true)}>
          {words.import}
        </button>
      )}
      <span className="problem" role="alert">
        {problem}
      </span>
      <Suspense>{isImporting ? <ImportDialog pageId={pageId} closed={() => setImporting(false)} /> : null}</Suspense>
    </div>
  )
}
