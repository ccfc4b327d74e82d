import { type PdfFile, pdfReference, pdfText } from './file.ts'

/** The standard structure types (ISO 32000-1, 14.8.4) used in these documents. */
export type TagType =
  | ('Sect' | 'H1' | 'H2' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD')
  | ('TOC' | 'TOCI' | 'Reference' | 'Link')

/** A figure has a description in words, and its place on the page. */
export interface TagFacts {
  readonly alternative?: string
  readonly box?: readonly [number, number, number, number]
}

/** An element of the structure, which tells a screen reader what the marked content is. */
export class Tag {
  readonly id: number
  readonly #file: PdfFile
  readonly #type: TagType
  readonly #parentId: number
  readonly #facts: TagFacts
  readonly #kids: string[] = []
  readonly #open: Tag[] = []

  constructor(file: PdfFile, type: TagType, parentId: number, facts: TagFacts = {}) {
    this.id = file.reserve()
    this.#file = file
    this.#type = type
    this.#parentId = parentId
    this.#facts = facts
  }

  child(type: TagType, facts: TagFacts = {}): Tag {
    const child = new Tag(this.#file, type, this.id, facts)
    this.#kids.push(pdfReference(child.id))
    this.#open.push(child)
    return child
  }

  /** Adds the content of a page that is marked with the number. */
  marks(pageId: number, number: number): void {
    this.#kids.push(`<</Type/MCR/Pg ${pdfReference(pageId)}/MCID ${number}>>`)
  }

  /** Adds an annotation of a page. */
  refersTo(pageId: number, annotationId: number): void {
    this.#kids.push(`<</Type/OBJR/Pg ${pdfReference(pageId)}/Obj ${pdfReference(annotationId)}>>`)
  }

  /** Writes it with all its children. */
  close(): void {
    for (const child of this.#open) child.close()
    const { alternative, box } = this.#facts
    const [type, parent] = [this.#type, pdfReference(this.#parentId)]
    const alt = alternative === undefined ? '' : `/Alt ${pdfText(alternative)}`
    const place = box === undefined ? '' : `/A<</O/Layout/Placement/Block/BBox[${box.join(' ')}]>>`
    const scope = type === 'TH' ? '/A<</O/Table/Scope/Column>>' : ''
    this.#file.put(
      this.id,
      `<</Type/StructElem/S/${type}/P ${parent}${alt}${place}${scope}/K[${this.#kids.join(' ')}]>>`,
    )
  }
}

/** Maps marked contents and annotations to their elements. */
export class Structure {
  readonly rootId: number
  readonly documentId: number
  readonly #file: PdfFile
  readonly #owners: string[] = []

  constructor(file: PdfFile) {
    this.#file = file
    this.rootId = file.reserve()
    this.documentId = file.reserve()
  }

  /** A part of the document; `finish` puts the parts in order. */
  part(type: TagType): Tag {
    return new Tag(this.#file, type, this.documentId)
  }

  /** Reserves the number of a page or an annotation; `own` returns its elements. */
  reserve(): number {
    return this.#owners.push('null') - 1
  }

  own(number: number, owners: string): void {
    this.#owners[number] = owners
  }

  finish(parts: readonly Tag[]): void {
    const kids = parts.map(({ id }) => pdfReference(id)).join(' ')
    const root = pdfReference(this.rootId)
    this.#file.put(this.documentId, `<</Type/StructElem/S/Document/P ${root}/K[${kids}]>>`)
    const owners = this.#owners.map((owner, number) => `${number} ${owner}`).join(' ')
    const tree = this.#file.add(`<</Nums[${owners}]>>`)
    const next = `/ParentTreeNextKey ${this.#owners.length}`
    this.#file.put(
      this.rootId,
      `<</Type/StructTreeRoot/K ${pdfReference(this.documentId)}/ParentTree ${pdfReference(tree)}${next}>>`,
    )
  }
}
