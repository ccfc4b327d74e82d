import { PdfFile, pdfReference, pdfText } from './file.ts'
import { Page } from './page.ts'
import { Structure, type Tag, type TagType } from './structure.ts'
import { Typeface } from './typeface.ts'

export interface DocumentFacts {
  readonly title: string
  readonly author: string
  /** BCP 47. */
  readonly language: string
  /** Unix milliseconds. */
  readonly createdAt: number
}

export interface Bookmark {
  readonly title: string
  readonly page: Page
}

/** The parts of a document whose order is known only at its end. */
export interface Order {
  readonly pages: readonly Page[]
  readonly parts: readonly Tag[]
  readonly bookmarks: readonly Bookmark[]
}

/** A tagged PDF that is written page by page. */
export class PdfDocument {
  readonly #file = new PdfFile()
  readonly #structure = new Structure(this.#file)
  readonly #facts: DocumentFacts
  readonly #faces: Typeface[] = []
  readonly #pagesId = this.#file.reserve()
  readonly #resourcesId = this.#file.reserve()

  constructor(facts: DocumentFacts) {
    this.#facts = facts
  }

  face(fontName: string, bytes: Buffer): Typeface {
    const face = new Typeface(this.#file, { bytes, fontName }, `F${this.#faces.length + 1}`)
    this.#faces.push(face)
    return face
  }

  page(): Page {
    return new Page(this.#file, this.#structure)
  }

  part(type: TagType): Tag {
    return this.#structure.part(type)
  }

  /** Everything on the page must be drawn before. */
  closePage(page: Page): void {
    page.close(`/Parent ${pdfReference(this.#pagesId)}/Resources ${pdfReference(this.#resourcesId)}`)
  }

  /** Pages and parts must be closed before. */
  finish({ pages, parts, bookmarks }: Order): Buffer {
    const file = this.#file
    for (const face of this.#faces) face.embed(file)
    const fonts = this.#faces.map(({ name, id }) => `/${name} ${pdfReference(id)}`).join('')
    file.put(this.#resourcesId, `<</Font<<${fonts}>>>>`)
    const kids = pages.map(({ id }) => pdfReference(id)).join(' ')
    file.put(this.#pagesId, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`)
    this.#structure.finish(parts)
    const { title, author, language } = this.#facts
    const [metadata, outlines] = [this.#metadata(), this.#outlines(bookmarks)]
    const catalogue = file.add(
      `<</Type/Catalog/Pages ${pdfReference(this.#pagesId)}/StructTreeRoot ${pdfReference(this.#structure.rootId)}/Outlines ${pdfReference(outlines)}/Metadata ${pdfReference(metadata)}/MarkInfo<</Marked true>>/ViewerPreferences<</DisplayDocTitle true>>/Lang(${language})>>`,
    )
    const information = `/Title ${pdfText(title)}/Author ${pdfText(author)}/Creator ${pdfText('Latarnik')}/CreationDate(D:${this.#createdAt().replaceAll(/[-:T]/g, '')})`
    return file.finish(catalogue, file.add(`<<${information}>>`))
  }

  #createdAt(): string {
    return `${new Date(this.#facts.createdAt).toISOString().slice(0, 19)}Z`
  }

  #outlines(bookmarks: readonly Bookmark[]): number {
    const file = this.#file
    const root = file.reserve()
    const ids = bookmarks.map(() => file.reserve())
    const to = (name: string, id: number | undefined) => (id === undefined ? '' : `/${name} ${pdfReference(id)}`)
    for (const [index, { title, page }] of bookmarks.entries()) {
      const beside = `${to('Prev', ids[index - 1])}${to('Next', ids[index + 1])}`
      file.put(
        ids[index] ?? 0,
        `<</Title ${pdfText(title)}/Parent ${pdfReference(root)}${beside}/Dest[${pdfReference(page.id)}/Fit]>>`,
      )
    }
    file.put(root, `<</Type/Outlines/Count ${ids.length}${to('First', ids[0])}${to('Last', ids.at(-1))}>>`)
    return root
  }

  #metadata(): number {
    const { title, author, language } = this.#facts
    const id = this.#file.reserve()
    const xmp = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${this.#createdAt()}</xmp:CreateDate><xmp:CreatorTool>Latarnik</xmp:CreatorTool>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`
    this.#file.putStream(id, '/Type/Metadata/Subtype/XML', Buffer.from(xmp, 'utf8'))
    return id
  }
}

/** Removes characters that XML does not allow. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
