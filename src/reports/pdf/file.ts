import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** Objects that are packed together; a reader unpacks all of them to see one. */
const mostPacked = 200

/** A PDF text string: UTF-16 with its mark. */
export function pdfText(text: string): string {
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}

/** A length or a colour with only as many digits as are visible. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** A reference to an object by its number. */
export function pdfReference(id: number): string {
  return `${id} 0 R`
}

/**
 * The objects of a PDF file (ISO 32000-1), written as they come. A written object takes no more memory than its bytes.
 */
export class PdfFile {
  readonly #parts: Buffer[] = []
  readonly #digest = createHash('sha256')
  /** By object: its offset, or its pack and its place there. */
  readonly #places: { readonly at: number; readonly place: number | null }[] = [{ at: 0, place: null }]
  #waiting: { readonly id: number; readonly text: string }[] = []
  #length = 0

  constructor() {
    this.#write(Buffer.from('%PDF-1.7\n%\u00e4\u00f6\u00fc\u00df\n', 'latin1'))
  }

  #write(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#digest.update(bytes)
    this.#length += bytes.length
  }

  /** Reserves the number of an object that is written later. */
  reserve(): number {
    this.#places.push({ at: 0, place: null })
    return this.#places.length - 1
  }

  put(id: number, text: string): void {
    this.#waiting.push({ id, text })
    if (this.#waiting.length === mostPacked) this.#pack()
  }

  add(text: string): number {
    const id = this.reserve()
    this.put(id, text)
    return id
  }

  /** @param entries of its dictionary, beside length and filter */
  putStream(id: number, entries: string, content: Buffer): void {
    const packed = deflateSync(content, { level: 3 })
    this.#places[id] = { at: this.#length, place: null }
    const head = `${id} 0 obj\n<<${entries}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`
    this.#write(Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from('\nendstream\nendobj\n', 'latin1')]))
  }

  #pack(): void {
    const objects = this.#waiting
    if (objects.length === 0) return
    this.#waiting = []
    const pack = this.reserve()
    let offset = 0
    const index = objects.map(({ id, text }, place) => {
      this.#places[id] = { at: pack, place }
      const entry = `${id} ${offset}`
      offset += text.length + 1
      return entry
    })
    const first = `${index.join(' ')}\n`
    const content = Buffer.from(`${first}${objects.map(({ text }) => text).join('\n')}\n`, 'latin1')
    this.putStream(pack, `/Type/ObjStm/N ${objects.length}/First ${first.length}`, content)
  }

  /** The whole file; nothing can be added afterwards. */
  finish(catalogue: number, information: number): Buffer {
    this.#pack()
    const table = this.reserve()
    const [id, start] = [this.#digest.copy().digest('hex').slice(0, 32), this.#length]
    this.#places[table] = { at: start, place: null }
    const rows = Buffer.alloc(7 * this.#places.length)
    for (const [number, { at, place }] of this.#places.entries()) {
      rows.writeUInt8(number === 0 ? 0 : place === null ? 1 : 2, 7 * number)
      rows.writeUInt32BE(at, 7 * number + 1)
      rows.writeUInt16BE(number === 0 ? 65_535 : (place ?? 0), 7 * number + 5)
    }
    const roots = `/Root ${pdfReference(catalogue)}/Info ${pdfReference(information)}/ID[<${id}><${id}>]`
    this.putStream(table, `/Type/XRef/Size ${this.#places.length}/W[1 4 2]${roots}`, rows)
    this.#write(Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'))
    return Buffer.concat(this.#parts)
  }
}
