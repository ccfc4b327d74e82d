import { fitted } from '../pdf/lines.ts'
import type { Box, Page } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import { colours, frame, type Sheets, type TextSetting } from './sheets.ts'
import type { OverviewRow, ReportView } from './view.ts'

/** The starts of a row's cells, as parts of the width. The last cell ends at the margin. */
const columns = [0, 0.24, 0.43, 0.56, 0.65, 0.84, 1] as const
const rowHeight = 18
const gap = 6

interface DrawnRow {
  readonly row: OverviewRow
  readonly page: Page
  readonly box: Box
  readonly tag: Tag
}

export interface Overview {
  readonly page: Page
  readonly part: Tag
  /** Call it once the pages of all services are known. */
  link(pages: readonly Page[], numberOf: (page: Page) => number): void
}

/** All services side by side, on as many pages as it takes; each line links to the pages of its service. */
export function drawOverview(sheets: Sheets, rows: readonly OverviewRow[], labels: ReportView['labels']): Overview {
  const part = sheets.document.part('Sect')
  const page = sheets.begin()
  sheets.line(part.child('H1'), labels.overview, { ...sheets.style(17, colours.ink, 'bold'), leading: 34 })
  const table = part.child('Table')
  const head = { ...sheets.style(7.5, colours.ink, 'bold'), leading: 12 }
  const first = table.child('TR')
  drawHead(sheets, labels.overviewColumns, head, (draw) => sheets.page.mark(first.child('TH'), draw))
  const drawn = rows.map((row): DrawnRow => {
    if (sheets.y + rowHeight > frame.bottom) {
      sheets.begin()
      // Tagged only once; further headings are for the eye.
      drawHead(sheets, labels.overviewColumns, head, (draw) => sheets.page.artifact(draw))
    }
    return drawRow(sheets, table.child('TR'), row)
  })
  part.close()
  return {
    ...{ page, part },
    link(pages, numberOf) {
      for (const { row, page: from, box, tag } of drawn) {
        const to = pages[row.point]
        if (to !== undefined) from.link(box, to, tag, `${row.name}, ${labels.page.toLowerCase()} ${numberOf(to)}`)
      }
    },
  }
}

function placeOf(index: number): { readonly x: number; readonly width: number } {
  const [from = 0, to = 1] = [columns[index], columns[index + 1]]
  return { x: frame.left + from * frame.width, width: (to - from) * frame.width - gap }
}

function underline(sheets: Sheets, colour: string, height: number): void {
  const { page, y } = sheets
  page.artifact(() => page.boxes(colour, [{ x: frame.left, y: y + rowHeight - 1, width: frame.width, height }]))
  sheets.skip(rowHeight)
}

function drawHead(
  sheets: Sheets,
  headings: readonly string[],
  style: TextSetting,
  mark: (draw: () => void) => void,
): void {
  for (const [index, heading] of headings.entries()) mark(() => writeCell(sheets, index, heading, style))
  underline(sheets, colours.ink, 0.7)
}

/** Names and states are aligned left, numbers right. */
function writeCell(sheets: Sheets, index: number, text: string, style: TextSetting): void {
  const { x, width } = placeOf(index)
  const shown = fitted(text, { ...style, width })
  if (index < 2) sheets.write(x, sheets.y + 3, shown, style)
  else sheets.writeRight(x + width, sheets.y + 3, shown, style)
}

function drawRow(sheets: Sheets, line: Tag, row: OverviewRow): DrawnRow {
  const { page, y } = sheets
  const style = { ...sheets.style(8.5), leading: 12 }
  const link = line.child('TD').child('Link')
  page.mark(link, () => writeCell(sheets, 0, row.name, { ...style, colour: colours.accent }))
  for (const [index, text] of row.cells.entries()) {
    page.mark(line.child('TD'), () => writeCell(sheets, index + 1, text, index === 0 ? stateStyle(style, row) : style))
  }
  const box = { x: frame.left, y, width: frame.width, height: rowHeight }
  underline(sheets, colours.line, 0.4)
  return { row, page, box, tag: link }
}

/** The word names the state; the colour only supports it. */
function stateStyle(style: TextSetting, { state }: OverviewRow): TextSetting {
  if (state === 'failure') return { ...style, colour: colours.failure }
  return state === 'ok' ? { ...style, colour: colours.ok } : style
}
