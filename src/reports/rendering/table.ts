import type { Page } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import { colours, frame, type Sheets, type TextSetting } from './sheets.ts'

export const rowHeight = 16
/** The starts of a row's cells, as parts of the width. */
const columns = [0, 0.36, 0.72] as const

interface Row {
  readonly texts: readonly string[]
  readonly style: TextSetting
  /** The line below the row. */
  readonly rule: { readonly colour: string; readonly height: number }
}

/** A table of three columns, on as many pages as it takes; each page repeats the headings. */
export function drawTable(
  sheets: Sheets,
  table: Tag,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const head = {
    ...{ texts: headings, style: { ...sheets.style(7.5, colours.ink, 'bold'), leading: 12 } },
    rule: { colour: colours.ink, height: 0.7 },
  }
  const first = table.child('TR')
  drawRow(sheets, head, (page, draw) => page.mark(first.child('TH'), draw))
  const body = { style: { ...sheets.style(8.5), leading: 12 }, rule: { colour: colours.line, height: 0.4 } }
  for (const texts of rows) {
    if (sheets.y + rowHeight > frame.bottom) {
      sheets.begin()
      // Tagged only once; further headings are for the eye.
      drawRow(sheets, head, (page, draw) => page.artifact(draw))
    }
    const row = table.child('TR')
    drawRow(sheets, { ...body, texts }, (page, draw) => page.mark(row.child('TD'), draw))
  }
}

function drawRow(sheets: Sheets, { texts, style, rule }: Row, mark: (page: Page, draw: () => void) => void): void {
  const { page, y } = sheets
  for (const [index, text] of texts.entries()) {
    const x = frame.left + (columns[index] ?? 0) * frame.width
    mark(page, () => sheets.write(x, y + 2, text, style))
  }
  const line = { x: frame.left, y: y + rowHeight - 1, width: frame.width, height: rule.height }
  page.artifact(() => page.boxes(rule.colour, [line]))
  sheets.skip(rowHeight)
}
