import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../database/connect.ts'
import { readPage, readPublicSlugs } from '../database/status-page-rows.ts'
import { documentsOf, fileNames } from './documents.ts'
import { makeSnapshot } from './make-snapshot.ts'

export interface ExportOptions {
  readonly directory: string
  readonly publicUrl: string
  readonly now: number
}

/** A reader sees the old file or the new one, and never a part. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.new`, bytes)
  await rename(`${path}.new`, path)
}

/** Writes every public page as files below `directory/{slug}/`. Returns the slugs. */
export async function exportPages(database: Database, options: ExportOptions): Promise<readonly string[]> {
  const slugs = await readPublicSlugs(database)
  for (const slug of slugs) {
    const page = await readPage(database, slug)
    if (page?.access !== 'public') continue
    const snapshot = await makeSnapshot(database, page, options.now)
    const documents = documentsOf(snapshot, options.publicUrl, undefined)
    for (const name of ['', ...fileNames(snapshot)]) {
      const document = await documents.get(name)
      const file = join(options.directory, slug, name === '' ? 'index.html' : name)
      if (document !== undefined) await replace(file, document.plain)
    }
  }
  return slugs
}
