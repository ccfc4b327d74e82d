import type { Database } from '../database/connect.ts'
import { readPage, readPublicSlugs } from '../database/status-pages/status-page-rows.ts'
import type { PageHosts } from '../domain/status-pages/page-host.ts'
import { documentsOf, fileNames } from './documents.ts'
import type { ExportTarget } from './export-target.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { withOwnHost } from './own-host.ts'
import type { Ready } from './ready.ts'

export interface ExportOptions {
  readonly target: ExportTarget
  readonly publicUrl: string
  /** The hosts that pages may have. */
  readonly hosts: PageHosts
  readonly now: number
}

export interface Exported {
  readonly slugs: readonly string[]
  /** Files that were written anew. */
  readonly written: number
  /** Files of pages that are no longer public. */
  readonly removed: number
  /** Pages that could not be made; the files of earlier exports stay. */
  readonly failed: readonly { readonly slug: string; readonly reason: string }[]
}

/** The names of the files that exports wrote, with digests of their content. */
export const manifestName = 'latarnik-status-pages.json'

type Manifest = Readonly<Record<string, string>>

function manifestOf(bytes: Buffer | null): Manifest {
  if (bytes === null) return {}
  const read: unknown = JSON.parse(bytes.toString())
  const files = typeof read === 'object' && read !== null && 'files' in read ? read.files : undefined
  if (typeof files !== 'object' || files === null)
    throw new Error(`${manifestName} is damaged: remove all files, and it.`)
  return Object.fromEntries(Object.entries(files).map(([name, tag]) => [name, String(tag)]))
}

async function writeManifest(target: ExportTarget, files: Manifest): Promise<void> {
  await target.write(manifestName, Buffer.from(JSON.stringify({ version: 1, files })), 'application/json')
}

/**
 * Writes every public page as files below `{slug}/`, and removes those of pages that are public no longer. It touches
 * no file that it did not write. Whenever it is interrupted, the next export knows all that this one wrote. A page that
 * cannot be made does not keep the others from it.
 */
export async function exportPages(database: Database, { target, ...source }: ExportOptions): Promise<Exported> {
  const before = manifestOf(await target.read(manifestName))
  const known: Record<string, string> = { ...before }
  const current: Record<string, string> = {}
  const slugs: string[] = []
  const failed: Exported['failed'][number][] = []
  let written = 0
  function leaveOut(slug: string, reason: string): void {
    failed.push({ slug, reason })
    for (const name of Object.keys(known)) if (name.startsWith(`${slug}/`)) current[name] = known[name] ?? ''
  }
  for (const slug of await readPublicSlugs(database)) {
    const files = await filesOf(database, slug, source).catch((error: unknown) => {
      leaveOut(slug, error instanceof Error ? error.message : String(error))
      return null
    })
    if (files === null) continue
    const fresh = [...files].filter(([name, { tag }]) => before[name] !== tag)
    const stranger = await fileOfOthers(target, before, fresh)
    if (stranger !== null) {
      leaveOut(slug, `${stranger} is there already, and no export wrote it.`)
      continue
    }
    slugs.push(slug)
    // Remembered before it is written, as a file of unknown content.
    if (fresh.some(([name]) => !Object.hasOwn(known, name))) {
      for (const [name] of fresh) known[name] ??= ''
      await writeManifest(target, known)
    }
    for (const [name, { plain, type }] of fresh) await target.write(name, plain, type)
    written += fresh.length
    for (const [name, { tag }] of files) current[name] = tag
  }
  const gone = Object.keys(known).filter((name) => !Object.hasOwn(current, name))
  for (const name of gone) await target.remove(name)
  await writeManifest(target, current)
  return { slugs, written, removed: gone.length, failed }
}

/** The place of a file that no export wrote; an owner chose its name for the page, so it concerns that page alone. */
async function fileOfOthers(
  target: ExportTarget,
  before: Manifest,
  files: readonly (readonly [name: string, ready: Ready])[],
): Promise<string | null> {
  for (const [name] of files) {
    if (!Object.hasOwn(before, name) && (await target.has(name))) return target.place(name)
  }
  return null
}

/** The files of a page in the order in which they are written: the page itself comes last. Null: it is not public. */
async function filesOf(
  database: Database,
  slug: string,
  { publicUrl, hosts, now }: Omit<ExportOptions, 'target'>,
): Promise<ReadonlyMap<string, Ready> | null> {
  const page = await readPage(database, slug)
  if (page?.access !== 'public') return null
  const snapshot = await makeSnapshot(database, withOwnHost(page, hosts), now)
  const documents = documentsOf(snapshot, publicUrl, undefined)
  const files = new Map<string, Ready>()
  for (const name of [...fileNames(snapshot), '']) {
    const document = await documents.get(name, 'copy')
    if (document !== undefined) files.set(`${slug}/${name === '' ? 'index.html' : name}`, document)
  }
  return files
}
