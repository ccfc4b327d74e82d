import { fitted, wrapped } from '../pdf/lines.ts'
import type { Page } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import { colours, frame, type Sheets } from './sheets.ts'
import type { ReportView } from './view.ts'

/** The first page: what this is about. */
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

export interface Entry {
  readonly title: string
  readonly page: Page
}

/** Pages that are kept free for the contents until it is known where everything is. */
export interface Contents {
  draw(entries: readonly Entry[], numberOf: (page: Page) => number): Tag
}

const headingHeight = 34

/** @param count of the entries, each of which takes one line */
export function reserveContents(sheets: Sheets, view: ReportView, count: number): Contents {
  const style = { ...sheets.style(9.5), leading: 15 }
  const places = Array.from({ length: count }, (_, index) => {
    if (index === 0) {
      sheets.begin()
      sheets.skip(headingHeight)
    }
    sheets.need(style.leading)
    const place = { page: sheets.page, y: sheets.y }
    sheets.skip(style.leading)
    return place
  })
  return {
    draw(entries, numberOf) {
      const part = sheets.document.part('Sect')
      const heading = part.child('H1')
      const [first] = places
      first?.page.mark(heading, () => {
        const { leading, ...bold } = sheets.style(17, colours.ink, 'bold')
        first.page.text(frame.left, frame.top + leading * 0.75, view.labels.contents, bold)
      })
      const list = part.child('TOC')
      for (const [index, { page, y }] of places.entries()) {
        const entry = entries[index]
        if (entry === undefined) continue
        const number = String(numberOf(entry.page))
        const title = fitted(entry.title, { ...style, width: frame.width - 40 })
        const [baseline, end] = [y + 10, frame.right - style.face.widthOf(number, style.size)]
        const link = list.child('TOCI').child('Reference').child('Link')
        page.mark(link, () => {
          page.text(frame.left, baseline, title, style)
          page.text(end, baseline, number, style)
        })
        const titleEnd = frame.left + style.face.widthOf(title, style.size)
        if (frame.right - titleEnd > 30)
          page.artifact(() => page.dots(frame.right - 20, titleEnd + 6, baseline - 0.5, colours.faint))
        page.link(
          { x: frame.left, y, width: frame.width, height: style.leading },
          entry.page,
          link,
          `${entry.title}, ${view.labels.page.toLowerCase()} ${number}`,
        )
      }
      part.close()
      return part
    },
  }
}

/** By which rules everything was computed; below the contents, where there is room. Returns the page that it begins on. */
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

/** What stands at the foot of every page. */
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

/** The name of a point, in as many lines as it takes. */
export function drawHeading(sheets: Sheets, part: Tag, name: string, about: string): void {
  const style = { ...sheets.style(17, colours.ink, 'bold'), leading: 22 }
  const heading = part.child('H1')
  for (const line of wrapped(name, { ...style, width: frame.width })) sheets.line(heading, line, style)
  sheets.paragraph(part.child('P'), about, sheets.style(9.5, colours.faint))
  sheets.skip(6)
}
