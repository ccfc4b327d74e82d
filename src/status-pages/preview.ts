import type { Database } from '../database/connect.ts'
import type { PageRow } from '../database/status-pages/status-page-rows.ts'
import { servedEdition } from './edition.ts'
import { logoWithin } from './logos.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { pageHtml } from './page-html.ts'
import { accentsOf } from './style.ts'

interface PreviewOptions {
  readonly publicUrl: string
  readonly now: number
}

/** A page that is not saved, with its pictures within. */
export async function previewPage(database: Database, page: PageRow, { publicUrl, now }: PreviewOptions) {
  const snapshot = await makeSnapshot(database, page, now)
  const edition = { ...servedEdition(`${publicUrl}/status/${page.slug}`), logo: logoWithin }
  const html = await pageHtml(snapshot, edition)
  return { html, accents: accentsOf(page.theme.accent ?? null) }
}
