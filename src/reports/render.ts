import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** From the sources beside this file; from the bundle, where chunks may lie a folder deeper than the entry. */
const entries = import.meta.url.endsWith('.ts')
  ? ['./rendering/process.ts']
  : ['./reports/rendering/process.js', '../reports/rendering/process.js']

function entryPath(): string {
  const found = entries.map((name) => fileURLToPath(new URL(name, import.meta.url))).find((path) => existsSync(path))
  if (found === undefined) throw new Error('The rendering process is missing beside the program.')
  return found
}

/** Source files need their loader. */
function loaderOf(path: string): readonly string[] {
  if (!path.endsWith('.ts')) return []
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
}

/** Milliseconds; a document takes seconds. */
const patience = 120_000

/** Phase two: the document of these data, made by a process of its own. Rejects when that fails, or when the signal stops it. */
export async function render(json: Buffer, signal: AbortSignal): Promise<Uint8Array> {
  const path = entryPath()
  const child = spawn(process.execPath, [...loaderOf(path), path], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A child that dies early closes its end; what it says then is told below.
  child.stdin.on('error', () => undefined)
  child.stdin.end(json)
  const [pdf, complaints, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`The document could not be made (${code}): ${complaints.slice(-2000)}`)
  return pdf
}
