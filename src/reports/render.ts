import { ask } from '../child-process/ask.ts'
import { findEntry } from '../child-process/entry.ts'

const names = { source: './rendering/process.ts', bundled: 'reports/rendering/process.js' }

/** Milliseconds; a document takes seconds. */
const patience = 120_000

/**
 * Phase two: a separate process makes the document from these data. Rejects if that fails, or if the signal stops it.
 */
export async function render(json: Buffer, signal: AbortSignal): Promise<Uint8Array> {
  return await ask({
    entry: findEntry(names, import.meta.url),
    question: json,
    failure: 'The document could not be made',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  })
}
