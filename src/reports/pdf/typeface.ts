import { createHash } from 'node:crypto'
import { type PdfFile, pdfNumber, pdfReference } from './file.ts'
import { readTrueType, type TrueType } from './true-type.ts'

interface Character {
  readonly glyph: number
  /** The glyph as it is written in a page. */
  readonly code: string
  /** At font size 1. */
  readonly width: number
}

/** Replaces characters for which the font has no glyph. */
const replacement = 0xfffd

function hex(value: number): string {
  return value.toString(16).padStart(4, '0')
}

/** A font of a document; only used glyphs are embedded. */
export class Typeface {
  /** Its name in the resources of pages. */
  readonly name: string
  readonly id: number
  readonly #font: TrueType
  readonly #fontName: string
  readonly #characters = new Map<number, Character>()
  readonly #unicode = new Map<number, number>()

  constructor(file: PdfFile, font: { readonly bytes: Buffer; readonly fontName: string }, name: string) {
    this.id = file.reserve()
    this.name = name
    this.#font = readTrueType(font.bytes)
    this.#fontName = font.fontName
  }

  #characterOf(codePoint: number): Character {
    const known = this.#characters.get(codePoint)
    if (known !== undefined) return known
    const own = this.#font.glyphOf(codePoint)
    const [glyph, shown] = own === 0 ? [this.#font.glyphOf(replacement), replacement] : [own, codePoint]
    const width = this.#font.widthOf(glyph) / this.#font.unitsPerEm
    const character = { glyph, code: hex(glyph), width }
    this.#characters.set(codePoint, character)
    if (!this.#unicode.has(glyph)) this.#unicode.set(glyph, shown)
    return character
  }

  /** In the unit of the size. */
  widthOf(text: string, size: number): number {
    let width = 0
    for (const letter of text) width += this.#characterOf(letter.codePointAt(0) ?? 0).width
    return width * size
  }

  encode(text: string): string {
    let codes = ''
    for (const letter of text) codes += this.#characterOf(letter.codePointAt(0) ?? 0).code
    return `<${codes}>`
  }

  /** Writes the font, once all text is written. */
  embed(file: PdfFile): void {
    const glyphs = [...this.#unicode.keys()].toSorted((one, other) => one - other)
    const bytes = this.#font.subset(glyphs)
    const tag = [...createHash('sha256').update(bytes).digest().subarray(0, 6)]
      .map((byte) => String.fromCharCode(65 + (byte % 26)))
      .join('')
    const name = `/${tag}+${this.#fontName}`
    const program = file.reserve()
    file.putStream(program, `/Length1 ${bytes.length}`, bytes)
    const descriptor = file.add(this.#descriptor(name, program))
    const widths = glyphs.map((glyph) => `${glyph}[${this.#thousandths(this.#font.widthOf(glyph))}]`).join('')
    const info = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity'
    const descendant = file.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont${name}${info}/FontDescriptor ${pdfReference(descriptor)}/W[${widths}]>>`,
    )
    const unicode = file.reserve()
    file.putStream(unicode, '', Buffer.from(unicodeMap(this.#unicode), 'latin1'))
    file.put(
      this.id,
      `<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H/DescendantFonts[${pdfReference(descendant)}]/ToUnicode ${pdfReference(unicode)}>>`,
    )
  }

  #thousandths(units: number): string {
    return pdfNumber((1000 * units) / this.#font.unitsPerEm)
  }

  #descriptor(name: string, program: number): string {
    const { box, ascent, descent, capHeight } = this.#font
    const lengths = `/FontBBox[${box.map((side) => this.#thousandths(side)).join(' ')}]/Ascent ${this.#thousandths(ascent)}/Descent ${this.#thousandths(descent)}/CapHeight ${this.#thousandths(capHeight)}`
    return `<</Type/FontDescriptor/FontName${name}/Flags 4/ItalicAngle 0/StemV 80${lengths}/FontFile2 ${pdfReference(program)}>>`
  }
}

/** Maps glyphs back to letters for readers. */
function unicodeMap(unicode: ReadonlyMap<number, number>): string {
  const entries = [...unicode].map(([glyph, codePoint]) => {
    const letters = Buffer.from(String.fromCodePoint(codePoint), 'utf16le').swap16().toString('hex')
    return `<${hex(glyph)}><${letters}>`
  })
  const blocks: string[] = []
  for (let first = 0; first < entries.length; first += 100) {
    const block = entries.slice(first, first + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit/ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def
/CMapName/Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict/CMap defineresource pop
end
end
`
}
