/** Reads a TrueType font and reduces it to some glyphs (OpenType specification, outlines in `glyf`). */

interface Table {
  readonly offset: number
  readonly length: number
}

/** Lengths are in font units; `unitsPerEm` of them make the size of the font. */
export interface TrueType {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  readonly box: readonly [number, number, number, number]
  /** 0 if the font has no glyph for the character. */
  glyphOf(codePoint: number): number
  widthOf(glyph: number): number
  /** The font with these glyphs only, under their numbers. */
  subset(glyphs: Iterable<number>): Buffer
}

/** Throws if the font lacks a table that a document needs, or the table of all Unicode characters. */
export function readTrueType(font: Buffer): TrueType {
  const tables = tablesOf(font)
  const [head, hhea, os2] = [tableIn(tables, 'head'), tableIn(tables, 'hhea'), tableIn(tables, 'OS/2')]
  const metrics = tableIn(tables, 'hmtx').offset
  const measured = font.readUInt16BE(hhea.offset + 34)
  const box = (place: number) => font.readInt16BE(head.offset + 36 + 2 * place)
  return {
    unitsPerEm: font.readUInt16BE(head.offset + 18),
    ascent: font.readInt16BE(hhea.offset + 4),
    descent: font.readInt16BE(hhea.offset + 6),
    capHeight: font.readInt16BE(os2.offset + 88),
    box: [box(0), box(1), box(2), box(3)],
    glyphOf: charactersOf(font, tableIn(tables, 'cmap')),
    widthOf: (glyph) => font.readUInt16BE(metrics + 4 * Math.min(glyph, measured - 1)),
    subset: (glyphs) => subsetOf(font, tables, glyphs),
  }
}

function tablesOf(font: Buffer): ReadonlyMap<string, Table> {
  const count = font.readUInt16BE(4)
  const entries = Array.from({ length: count }, (_, index) => {
    const at = 12 + 16 * index
    const table = { offset: font.readUInt32BE(at + 8), length: font.readUInt32BE(at + 12) }
    return [font.toString('latin1', at, at + 4), table] as const
  })
  return new Map(entries)
}

function tableIn(tables: ReadonlyMap<string, Table>, name: string): Table {
  const table = tables.get(name)
  if (table === undefined) throw new Error(`The font has no table ${name}.`)
  return table
}

/** Reads the subtable for all of Unicode (format 12). */
function charactersOf(font: Buffer, { offset }: Table): (codePoint: number) => number {
  const count = font.readUInt16BE(offset + 2)
  const subtables = Array.from({ length: count }, (_, index) => offset + font.readUInt32BE(offset + 8 + 8 * index))
  const at = subtables.find((place) => font.readUInt16BE(place) === 12)
  if (at === undefined) throw new Error('The font has no table of the whole of Unicode.')
  const groups = font.readUInt32BE(at + 12)
  return (codePoint) => {
    let [low, high] = [0, groups]
    while (low < high) {
      const middle = (low + high) >>> 1
      const group = at + 16 + 12 * middle
      if (font.readUInt32BE(group + 4) < codePoint) low = middle + 1
      else if (font.readUInt32BE(group) > codePoint) high = middle
      else return font.readUInt32BE(group + 8) + codePoint - font.readUInt32BE(group)
    }
    return 0
  }
}

/** The place of each glyph's outline in `glyf`. */
function outlinesOf(font: Buffer, tables: ReadonlyMap<string, Table>) {
  const [loca, glyf] = [tableIn(tables, 'loca').offset, tableIn(tables, 'glyf').offset]
  const isLong = font.readInt16BE(tableIn(tables, 'head').offset + 50) === 1
  const place = (glyph: number) =>
    glyf + (isLong ? font.readUInt32BE(loca + 4 * glyph) : 2 * font.readUInt16BE(loca + 2 * glyph))
  return (glyph: number) => font.subarray(place(glyph), place(glyph + 1))
}

const flags = { words: 0x01, scale: 0x08, more: 0x20, twoScales: 0x40, matrix: 0x80 } as const

/** A composite glyph consists of others. */
function componentsOf(outline: Buffer): number[] {
  const components: number[] = []
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return components
  for (let at = 10, hasMore = true; hasMore; ) {
    const flag = outline.readUInt16BE(at)
    components.push(outline.readUInt16BE(at + 2))
    at += 4 + (flag & flags.words ? 4 : 2)
    at += flag & flags.scale ? 2 : flag & flags.twoScales ? 4 : flag & flags.matrix ? 8 : 0
    hasMore = (flag & flags.more) !== 0
  }
  return components
}

function subsetOf(font: Buffer, tables: ReadonlyMap<string, Table>, glyphs: Iterable<number>): Buffer {
  const outlineOf = outlinesOf(font, tables)
  const wanted = new Set([0, ...glyphs])
  // The set grows during the loop, which also visits the new members.
  for (const glyph of wanted) for (const component of componentsOf(outlineOf(glyph))) wanted.add(component)
  const count = Math.max(...wanted) + 1
  const places = Buffer.alloc(4 * (count + 1))
  const outlines: Buffer[] = []
  let length = 0
  for (let glyph = 0; glyph < count; glyph += 1) {
    places.writeUInt32BE(length, 4 * glyph)
    if (!wanted.has(glyph)) continue
    const outline = padded(outlineOf(glyph))
    outlines.push(outline)
    length += outline.length
  }
  places.writeUInt32BE(length, 4 * count)
  const copy = (name: string) => {
    const { offset, length: size } = tableIn(tables, name)
    return Buffer.from(font.subarray(offset, offset + size))
  }
  const [head, hhea, maxp] = [copy('head'), copy('hhea'), copy('maxp')]
  head.writeInt16BE(1, 50)
  head.writeUInt32BE(0, 8)
  const measured = Math.min(count, hhea.readUInt16BE(34))
  hhea.writeUInt16BE(measured, 34)
  maxp.writeUInt16BE(count, 4)
  const metrics = copy('hmtx').subarray(0, 4 * measured + 2 * (count - measured))
  const kept = ['cvt ', 'fpgm', 'prep'].filter((name) => tables.has(name)).map((name) => [name, copy(name)] as const)
  const own = { glyf: Buffer.concat(outlines), head, hhea, hmtx: metrics, loca: places, maxp }
  return assembled(new Map([...kept, ...Object.entries(own)]))
}

function padded(bytes: Buffer): Buffer {
  const missing = -bytes.length & 3
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)])
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

function assembled(tables: ReadonlyMap<string, Buffer>): Buffer {
  const names = [...tables.keys()].toSorted()
  const power = 2 ** Math.floor(Math.log2(names.length))
  const directory = Buffer.alloc(12 + 16 * names.length)
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(names.length, 4)
  directory.writeUInt16BE(16 * power, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE(16 * (names.length - power), 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  for (const [index, name] of names.entries()) {
    const table = tables.get(name) ?? Buffer.alloc(0)
    const bytes = padded(table)
    const at = 12 + 16 * index
    directory.write(name, at, 'latin1')
    directory.writeUInt32BE(checksum(bytes), at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(table.length, at + 12)
    parts.push(bytes)
    offset += bytes.length
  }
  return Buffer.concat(parts)
}
