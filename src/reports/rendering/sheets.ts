import type { PdfDocument } from '../pdf/document.ts'
import { fitted, wrapped } from '../pdf/lines.ts'
import { type Page, pageSize, type TextStyle } from '../pdf/page.ts'
import type { Tag } from '../pdf/structure.ts'
import type { Typeface } from '../pdf/typeface.ts'

export const colours = {
  ok: '#2f7d4f',
  failure: '#b3261e',
  paused: '#b9c0c9',
  ink: '#1c2733',
  faint: '#5b6775',
  accent: '#1f5fa8',
  line: '#d5dbe2',
  ground: '#f2f5f8',
} as const

const millimetre = 72 / 25.4
const margins = { side: 20 * millimetre, top: 22 * millimetre, bottom: 22 * millimetre }

/** The text area of a page, in points. */
export const frame = {
  left: margins.side,
  right: pageSize.width - margins.side,
  top: margins.top,
  bottom: pageSize.height - margins.bottom,
  width: pageSize.width - 2 * margins.side,
} as const

export interface Faces {
  readonly regular: Typeface
  readonly bold: Typeface
}

export interface TextSetting extends TextStyle {
  /** The distance from line to line. */
  readonly leading: number
}

/** The pages in order, and the current place on them. y is the upper edge of the next content. */
export class Sheets {
  readonly document: PdfDocument
  readonly faces: Faces
  readonly pages: Page[] = []
  y: number = frame.top

  constructor(document: PdfDocument, faces: Faces) {
    this.document = document
    this.faces = faces
  }

  style(size: number, colour: string = colours.ink, face: keyof Faces = 'regular'): TextSetting {
    return { face: this.faces[face], size, colour, leading: size * 1.45 }
  }

  get page(): Page {
    return this.pages.at(-1) ?? this.begin()
  }

  begin(): Page {
    this.pages.at(-1)?.flush()
    const page = this.document.page()
    this.pages.push(page)
    this.y = frame.top
    return page
  }

  /** Begins a new page unless this one has that much room. */
  need(height: number): void {
    if (this.y + height > frame.bottom) this.begin()
  }

  skip(height: number): void {
    this.y += height
  }

  /** A paragraph over the whole width, on as many pages as it takes. */
  paragraph(tag: Tag, text: string, style: TextSetting): void {
    for (const line of wrapped(text, { ...style, width: frame.width })) {
      this.need(style.leading)
      this.line(tag, line, style)
    }
  }

  /** One line that is known to fit. */
  line(tag: Tag, text: string, style: TextSetting): void {
    if (text !== '') this.page.mark(tag, () => this.write(frame.left, this.y, text, style))
    this.skip(style.leading)
  }

  /** @param y of the upper edge of the line */
  write(x: number, y: number, text: string, style: TextSetting): void {
    this.page.text(x, y + (style.leading + style.size * 0.72) / 2, text, style)
  }

  /** Centred in a width, and cut to it. */
  writeCentred(x: number, y: number, text: string, style: TextSetting & { readonly width: number }): void {
    const shown = fitted(text, style)
    this.write(x + (style.width - style.face.widthOf(shown, style.size)) / 2, y, shown, style)
  }

  /** Aligned to the right end of a width. */
  writeRight(right: number, y: number, text: string, style: TextSetting): void {
    this.write(right - style.face.widthOf(text, style.size), y, text, style)
  }

  /** Labels beside values, each value in as many lines as it takes. */
  facts(part: Tag, rows: readonly Fact[]): void {
    const [label, value] = [this.style(9, colours.faint), this.style(9)]
    for (const row of rows) {
      const lines = wrapped(row.value, { ...value, width: frame.width - factIndent })
      const height = Math.max(1, lines.length) * value.leading + 3
      this.need(height)
      const { page, y } = this
      page.mark(part.child('P'), () => {
        if (row.colour !== undefined) page.boxes(row.colour, [{ x: frame.left, y: y + 3, width: 7, height: 7 }])
        this.write(frame.left + (row.colour === undefined ? 0 : 12), y, row.label, label)
        for (const [index, line] of lines.entries()) {
          this.write(frame.left + factIndent, y + index * value.leading, line, value)
        }
      })
      this.skip(height)
    }
  }

  /** The height that `facts` will take. */
  factsHeight(rows: readonly Fact[]): number {
    const value = this.style(9)
    const lines = rows.map((row) => wrapped(row.value, { ...value, width: frame.width - factIndent }).length)
    return lines.reduce((height, count) => height + count * value.leading + 3, 0)
  }
}

const factIndent = 42 * millimetre

export interface Fact {
  readonly label: string
  readonly value: string
  /** The colour of the mark before the label. */
  readonly colour?: string
}
