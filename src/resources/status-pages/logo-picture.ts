import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { SVG } from 'image-size/types/svg'
import { WEBP } from 'image-size/types/webp'

/** A logo travels with every first visit to its page. */
export const mostLogoBytes = 100 * 1024
/** Pixels of either side. */
export const mostLogoPixels = 2000

/** The beginning of a drawing that has its size; the rest is never searched. */
const drawingStart = 4096

export interface LogoPicture {
  readonly contentType: string
  readonly width: number
  readonly height: number
}

const kinds = [
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/webp', WEBP],
  ['image/svg+xml', SVG],
] as const

/** The kind and size that the bytes themselves tell; null: they are no picture that pages show. */
export function pictureOf(bytes: Uint8Array): LogoPicture | null {
  for (const [contentType, kind] of kinds) {
    const read = contentType === 'image/svg+xml' ? bytes.subarray(0, drawingStart) : bytes
    try {
      if (!kind.validate(read)) continue
      const { width, height } = kind.calculate(read)
      return width >= 1 && height >= 1 ? { contentType, width, height } : null
    } catch {
      return null
    }
  }
  return null
}
