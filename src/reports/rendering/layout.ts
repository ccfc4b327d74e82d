import { PdfDocument } from '../pdf/document.ts'
import { drawFooters, drawRules, drawTitle, reserveContents } from './front.ts'
import { drawPoint } from './points.ts'
import { Sheets } from './sheets.ts'
import type { ReportView } from './view.ts'

export interface FontFiles {
  readonly regular: Buffer
  readonly bold: Buffer
}

/** Lays out what view.ts has worded: no text and no number is made here, but those of pages. */
export function layOut(view: ReportView, fonts: FontFiles): Buffer {
  const { title, author, language, createdAt } = view
  const document = new PdfDocument({ title, author, language, createdAt })
  const faces = {
    regular: document.face('DejaVuSans', fonts.regular),
    bold: document.face('DejaVuSans-Bold', fonts.bold),
  }
  const sheets = new Sheets(document, faces)
  const first = drawTitle(sheets, view)
  const contents = reserveContents(sheets, view, view.points.length + 1)
  const rules = drawRules(sheets, view)
  const parts = [rules.part]
  const entries = [{ title: view.labels.rules, page: rules.page }]
  for (const point of view.points) {
    const page = sheets.begin()
    parts.push(drawPoint(sheets, point, view.labels))
    entries.push({ title: point.name, page })
  }
  const numbers = new Map(sheets.pages.map((page, index) => [page, index + 1]))
  const told = contents.draw(entries, (page) => numbers.get(page) ?? 0)
  drawFooters(sheets, view)
  for (const page of sheets.pages) document.closePage(page)
  return document.finish({ pages: sheets.pages, parts: [first, told, ...parts], bookmarks: entries })
}
