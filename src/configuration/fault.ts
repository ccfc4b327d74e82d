import { visible } from '../domain/text/one-line.ts'

/** Something in the files that is not right, with its place. */
export interface FileFault {
  /** Null: of no single place. */
  readonly place: FilePosition | null
  /** `services.shop.interval` */
  readonly pointer: string
  readonly message: string
}

export interface FilePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The files cannot be applied; nothing was sent. */
export class FaultyConfiguration extends Error {
  readonly faults: readonly FileFault[]

  constructor(faults: readonly FileFault[]) {
    super(faults.map(faultText).join('\n'))
    this.faults = faults
  }
}

/** `shop.yaml:12:5: services.shop.interval: …` */
export function faultText({ place, pointer, message }: FileFault): string {
  const at = place === null ? '' : `${place.file}:${place.line}:${place.column}: `
  // Files, and what the API says of them, may hold what commands a terminal.
  return visible(`${at}${pointer === '' ? '' : `${pointer}: `}${message}`)
}
