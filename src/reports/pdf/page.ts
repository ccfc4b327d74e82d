import { pdfNumber as n, type PdfFile, pdfReference, pdfText } from './file.ts'
import type { Structure, Tag } from './structure.ts'
import type { Typeface } from './typeface.ts'

/** A4, in points. */
export const pageSize = { width: 595.28, height: 841.89 } as const

export interface TextStyle {
  readonly face: Typeface
  /** Points. */
  readonly size: number
  /** `#rrggbb` */
  readonly colour: string
}

/** Measured from the upper left corner of the page, in points. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const colours = new Map<string, string>()

function colourOf(code: string): string {
  const known = colours.get(code)
  if (known !== undefined) return known
  const parts = [1, 3, 5].map((at) => n(Number.parseInt(code.slice(at, at + 2), 16) / 255))
  const colour = parts.join(' ')
  colours.set(code, colour)
  return colour
}

/** One page. Everything drawn is either marked with an element of the structure or an artifact. y grows downwards. */
export class Page {
  readonly id: number
  readonly #file: PdfFile
  readonly #structure: Structure
  readonly #structureNumber: number
  readonly #contents: number[] = []
  readonly #marks: string[] = []
  readonly #annotations: number[] = []
  #content: string[] = []
  #colour = ''

  constructor(file: PdfFile, structure: Structure) {
    this.id = file.reserve()
    this.#file = file
    this.#structure = structure
    this.#structureNumber = structure.reserve()
  }

  /** Marks everything that `draw` draws with the element. */
  mark(tag: Tag, draw: () => void): void {
    const number = this.#marks.length
    this.#marks.push(pdfReference(tag.id))
    tag.marks(this.id, number)
    this.#content.push(`/Span<</MCID ${number}>>BDC`)
    draw()
    this.#content.push('EMC')
  }

  /** Everything that `draw` draws is decoration. */
  artifact(draw: () => void): void {
    this.#content.push('/Artifact BMC')
    draw()
    this.#content.push('EMC')
  }

  /** @param y of the line that the letters stand on */
  text(x: number, y: number, text: string, { face, size, colour }: TextStyle): void {
    this.#fill(colour)
    const place = `${n(x)} ${n(pageSize.height - y)}`
    // The space separates neighbouring texts when they are copied or read aloud.
    this.#content.push(`BT/${face.name} ${size} Tf ${place} Td ${face.encode(`${text} `)}Tj ET`)
  }

  boxes(colour: string, boxes: readonly Box[]): void {
    if (boxes.length === 0) return
    this.#fill(colour)
    for (const { x, y, width, height } of boxes) {
      this.#content.push(`${n(x)} ${n(pageSize.height - y - height)} ${n(width)} ${n(height)} re`)
    }
    this.#content.push('f')
  }

  /** A row of dots. */
  dots(fromX: number, toX: number, y: number, colour: string): void {
    const height = n(pageSize.height - y)
    this.#content.push(`q ${colourOf(colour)} RG 0.7 w 1 J[0 3.5]0 d ${n(fromX)} ${height} m ${n(toX)} ${height} l S Q`)
  }

  #fill(colour: string): void {
    if (colour === this.#colour) return
    this.#colour = colour
    this.#content.push(`${colourOf(colour)} rg`)
  }

  /** A clickable area that leads to the top of another page. */
  link({ x, y, width, height }: Box, to: Page, tag: Tag, about: string): void {
    const number = this.#structure.reserve()
    const bottom = pageSize.height - y - height
    const rectangle = [x, bottom, x + width, bottom + height].map(n).join(' ')
    const id = this.#file.add(
      `<</Type/Annot/Subtype/Link/Rect[${rectangle}]/Border[0 0 0]/F 4/Dest[${pdfReference(to.id)}/Fit]/Contents ${pdfText(about)}/StructParent ${number}>>`,
    )
    this.#structure.own(number, pdfReference(tag.id))
    tag.refersTo(this.id, id)
    this.#annotations.push(id)
  }

  /** Writes the drawing so far, so that an unfinished page takes little memory. */
  flush(): void {
    const id = this.#file.reserve()
    this.#file.putStream(id, '', Buffer.from(`q\n${this.#content.join('\n')}\nQ`, 'latin1'))
    this.#contents.push(id)
    this.#content = []
    this.#colour = ''
  }

  /** Ends the page; nothing more can be drawn on it. @param shared its resources and its parent, as PDF */
  close(shared: string): void {
    this.flush()
    const contents = this.#contents.map(pdfReference).join(' ')
    const links = this.#annotations.length === 0 ? '' : `/Annots[${this.#annotations.map(pdfReference).join(' ')}]`
    const structure = `/StructParents ${this.#structureNumber}/Tabs/S`
    this.#file.put(
      this.id,
      `<</Type/Page/MediaBox[0 0 ${pageSize.width} ${pageSize.height}]/Contents[${contents}]${shared}${structure}${links}>>`,
    )
    this.#structure.own(this.#structureNumber, `[${this.#marks.join(' ')}]`)
  }
}
