import { wrapped } from '../pdf/lines.ts'
import { type Box, pageSize } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import { colours, frame, type Sheets } from './sheets.ts'
import { drawTable, rowHeight } from './table.ts'
import type { ChartView, FigureView, LevelView, PointView, Rectangle, ReportView } from './view.ts'

/** Draws one point of the report at the current place of the sheets. */
export function drawPoint(sheets: Sheets, point: PointView, labels: ReportView['labels']): Tag {
  const part = sheets.document.part('Sect')
  drawHeading(sheets, part, point.name, point.about)
  if (point.level !== null) drawLevel(sheets, part, point.level, labels)
  if (point.checks !== null) {
    sheets.need(80)
    subheading(sheets, part, labels.checks)
    figures(sheets, part, point.checks)
  }
  for (const chart of point.charts) drawChart(sheets, part, chart)
  if (point.failures !== null) drawFailures(sheets, part, point.failures, labels)
  part.close()
  return part
}

/** The name of a point, in as many lines as it takes. */
function drawHeading(sheets: Sheets, part: Tag, name: string, about: string): void {
  const style = { ...sheets.style(17, colours.ink, 'bold'), leading: 22 }
  const heading = part.child('H1')
  for (const line of wrapped(name, { ...style, width: frame.width })) sheets.line(heading, line, style)
  sheets.paragraph(part.child('P'), about, sheets.style(9.5, colours.faint))
  sheets.skip(6)
}

function subheading(sheets: Sheets, part: Tag, text: string): void {
  sheets.skip(10)
  sheets.line(part.child('H2'), text, { ...sheets.style(11, colours.accent, 'bold'), leading: 22 })
}

/** Large numbers side by side. */
function figures(sheets: Sheets, part: Tag, items: readonly FigureView[]): void {
  const [gap, height] = [11, 42]
  const width = (frame.width - gap * (items.length - 1)) / items.length
  const { page, y } = sheets
  for (const [index, { label, value }] of items.entries()) {
    const x = frame.left + index * (width + gap)
    page.artifact(() => page.boxes(colours.ground, [{ x, y, width, height }]))
    page.mark(part.child('P'), () => {
      const large = sheets.style(14, colours.ink, 'bold')
      const isLong = large.face.widthOf(value, large.size) > width - 16
      sheets.write(x + 8, y + 5, label, sheets.style(7.5, colours.faint))
      sheets.write(x + 8, y + 17, value, isLong ? { ...large, size: 10 } : large)
    })
  }
  sheets.skip(height)
}

/** Scales parts of a picture to parts of a page. */
function placed(rectangles: readonly Rectangle[], { x, y, width, height }: Box): Box[] {
  return rectangles.map(([left, top, wide, high]) => ({
    ...{ x: x + left * width, y: y + top * height, width: wide * width, height: high * height },
  }))
}

function figureTag(part: Tag, alternative: string, { x, y, width, height }: Box): Tag {
  const [bottom, round] = [pageSize.height - y - height, (value: number) => Math.round(value * 10) / 10]
  return part.child('Figure', {
    alternative,
    box: [round(x), round(bottom), round(x + width), round(bottom + height)],
  })
}

function drawLevel(sheets: Sheets, part: Tag, level: LevelView, labels: ReportView['labels']): void {
  figures(sheets, part, level.figures)
  subheading(sheets, part, labels.course)
  const { page, y } = sheets
  const bar = { x: frame.left, y, width: frame.width, height: 37 }
  page.mark(figureTag(part, level.alt, bar), () => {
    for (const state of ['ok', 'failure', 'paused'] as const) page.boxes(colours[state], placed(level[state], bar))
  })
  sheets.skip(bar.height + 1)
  const small = sheets.style(7.5, colours.faint)
  page.mark(part.child('P'), () => {
    sheets.write(frame.left, sheets.y, level.start, small)
    sheets.writeRight(frame.right, sheets.y, level.end, small)
  })
  sheets.skip(small.leading + 5)
  if (level.remark !== null) sheets.paragraph(part.child('P'), level.remark, small)
  sheets.facts(
    part,
    level.facts.map(({ state, ...fact }) => (state === null ? fact : { ...fact, colour: colours[state] })),
  )
}

function drawChart(sheets: Sheets, part: Tag, { title, alt, bars, rectangles }: ChartView): void {
  const [high, low] = [82, 12]
  sheets.need(high + low + 32)
  subheading(sheets, part, title)
  const { page, y } = sheets
  const box = { x: frame.left, y, width: frame.width, height: high }
  const value = sheets.style(bars.length > 12 ? 5.5 : 7.5)
  const label = sheets.style(bars.length > 12 ? 6.5 : 7.5, colours.faint)
  page.mark(figureTag(part, alt, { ...box, height: high + low }), () => {
    page.boxes(colours.accent, placed(rectangles, box))
    for (const bar of bars) {
      const [x, width] = [box.x + bar.x * box.width, bar.width * box.width]
      const top = y + bar.top * high - value.leading - 0.5
      if (bar.value !== '') sheets.writeCentred(x, top, bar.value, { ...value, width })
      sheets.writeCentred(x, y + high + 1, bar.label, { ...label, width })
    }
  })
  sheets.skip(high + low)
}

function drawFailures(
  sheets: Sheets,
  part: Tag,
  { rows, remark }: NonNullable<PointView['failures']>,
  labels: ReportView['labels'],
): void {
  sheets.need(32 + 2 * rowHeight)
  subheading(sheets, part, labels.failures)
  if (rows.length === 0) {
    sheets.paragraph(part.child('P'), labels.noFailures, sheets.style(9))
    return
  }
  drawTable(sheets, part.child('Table'), labels.failureColumns, rows)
  if (remark === null) return
  sheets.skip(4)
  sheets.paragraph(part.child('P'), remark, sheets.style(8, colours.faint))
}
