import { fitted } from '../pdf/lines.ts'
import type { Page } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import { colours, frame, type Sheets } from './sheets.ts'
import type { ReportView } from './view.ts'

/** The first page, with the subject of the report. */
export function drawTitle(sheets: Sheets, view: ReportView): Tag {
  const part = sheets.document.part('Sect')
  sheets.begin()
  sheets.y = frame.top + 130
  sheets.line(part.child('P'), view.labels.report.toUpperCase(), sheets.style(10, colours.accent, 'bold'))
  sheets.paragraph(part.child('H1'), view.title, { ...sheets.style(26, colours.ink, 'bold'), leading: 32 })
  sheets.skip(2)
  sheets.line(part.child('P'), view.range, sheets.style(12, colours.faint))
  sheets.skip(22)
  for (const paragraph of view.description.split(/\r?\n/)) {
    if (paragraph.trim() === '') sheets.skip(9)
    else sheets.paragraph(part.child('P'), paragraph, sheets.style(9.5))
  }
  const height = sheets.factsHeight(view.facts)
  sheets.need(height + 20)
  sheets.y = frame.bottom - height
  sheets.facts(part, view.facts)
  part.close()
  return part
}

export interface ContentsEntry {
  readonly title: string
  readonly page: Page
}

/** Pages reserved for the contents until all page numbers are known. */
export interface Contents {
  draw(entries: readonly ContentsEntry[], numberOf: (page: Page) => number): Tag
}

const headingHeight = 34

interface Place {
  readonly page: Page
  /** The upper edge of the line. */
  readonly y: number
}

const entryHeight = 15

/** @param count of the entries, each of which takes one line */
export function reserveContents(sheets: Sheets, view: ReportView, count: number): Contents {
  sheets.begin()
  const top = { page: sheets.page, y: sheets.y }
  sheets.skip(headingHeight)
  const places = Array.from({ length: count }, (): Place => {
    sheets.need(entryHeight)
    const place = { page: sheets.page, y: sheets.y }
    sheets.skip(entryHeight)
    return place
  })
  return {
    draw(entries, numberOf) {
      const part = sheets.document.part('Sect')
      const { leading, ...bold } = sheets.style(17, colours.ink, 'bold')
      top.page.mark(part.child('H1'), () =>
        top.page.text(frame.left, top.y + leading * 0.75, view.labels.contents, bold),
      )
      const list = part.child('TOC')
      for (const [index, entry] of entries.entries()) {
        const place = places[index]
        const line = { ...entry, number: String(numberOf(entry.page)), about: view.labels.page.toLowerCase() }
        if (place !== undefined) drawEntry(sheets, list, place, line)
      }
      part.close()
      return part
    },
  }
}

interface Line extends ContentsEntry {
  readonly number: string
  /** "page" */
  readonly about: string
}

function drawEntry(sheets: Sheets, list: Tag, { page, y }: Place, { title, number, about, page: to }: Line): void {
  const style = sheets.style(9.5)
  const shown = fitted(title, { ...style, width: frame.width - 40 })
  const baseline = y + 10
  const link = list.child('TOCI').child('Reference').child('Link')
  page.mark(link, () => {
    page.text(frame.left, baseline, shown, style)
    page.text(frame.right - style.face.widthOf(number, style.size), baseline, number, style)
  })
  const [from, end] = [frame.right - 20, frame.left + style.face.widthOf(shown, style.size) + 6]
  if (from - end > 4) page.artifact(() => page.dots(from, end, baseline - 0.5, colours.faint))
  const box = { x: frame.left, y, width: frame.width, height: entryHeight }
  page.link(box, to, link, `${title}, ${about} ${number}`)
}

/** The rules of all computations. They follow the contents if there is room. Returns the page of their beginning. */
export function drawRules(sheets: Sheets, view: ReportView): { readonly part: Tag; readonly page: Page } {
  const part = sheets.document.part('Sect')
  const style = { ...sheets.style(17, colours.ink, 'bold'), leading: headingHeight }
  sheets.skip(24)
  sheets.need(headingHeight + sheets.factsHeight(view.rules))
  const { page } = sheets
  sheets.line(part.child('H1'), view.labels.rules, style)
  sheets.facts(part, view.rules)
  part.close()
  return { part, page }
}

/** The footer of every page. */
export function drawFooters(sheets: Sheets, view: ReportView): void {
  const style = sheets.style(7.5, colours.faint)
  const title = fitted(view.title, { ...style, width: frame.width - 100 })
  const y = frame.bottom + 28
  for (const [index, page] of sheets.pages.entries()) {
    const number = `${view.labels.page} ${index + 1} / ${sheets.pages.length}`
    page.artifact(() => {
      page.text(frame.left, y, title, style)
      page.text(frame.right - style.face.widthOf(number, style.size), y, number, style)
    })
  }
}
