import { PdfDocument } from '../pdf/document.ts'
import type { Page } from '../pdf/page.ts'
import { drawFooters, drawRules, drawTitle, reserveContents } from './front.ts'
import { drawOverview } from './overview.ts'
import { drawPoint } from './points.ts'
import { Sheets } from './sheets.ts'
import type { ReportView } from './view.ts'

export interface FontFiles {
  readonly regular: Buffer
  readonly bold: Buffer
}

/** Lays out the content of view.ts. It makes no texts or numbers of its own except page numbers. */
export function layOut(view: ReportView, fonts: FontFiles): Buffer {
  const { title, author, language, createdAt } = view
  const document = new PdfDocument({ title, author, language, createdAt })
  const faces = {
    regular: document.face('DejaVuSans', fonts.regular),
    bold: document.face('DejaVuSans-Bold', fonts.bold),
  }
  const sheets = new Sheets(document, faces)
  const first = drawTitle(sheets, view)
  const overview = view.overview === null ? null : drawOverview(sheets, view.overview, view.labels)
  const contents = reserveContents(sheets, view, view.points.length + (overview === null ? 1 : 2))
  const rules = drawRules(sheets, view)
  const parts = [rules.part]
  const entries = [
    ...(overview === null ? [] : [{ title: view.labels.overview, page: overview.page }]),
    { title: view.labels.rules, page: rules.page },
  ]
  const pages: Page[] = []
  for (const point of view.points) {
    const page = sheets.begin()
    parts.push(drawPoint(sheets, point, view.labels))
    entries.push({ title: point.name, page })
    pages.push(page)
  }
  const numbers = new Map(sheets.pages.map((page, index) => [page, index + 1]))
  const numberOf = (page: Page) => numbers.get(page) ?? 0
  overview?.link(pages, numberOf)
  const told = contents.draw(entries, numberOf)
  drawFooters(sheets, view)
  for (const page of sheets.pages) document.closePage(page)
  return document.finish({
    pages: sheets.pages,
    parts: [first, ...(overview === null ? [] : [overview.part]), told, ...parts],
    bookmarks: entries,
  })
}
