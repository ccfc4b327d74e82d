import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { StreamCursor } from '../../domain/stream-event.ts'

/** Writes cursors so that nobody reads from them how busy the installation is, or names one that was never told. */
export interface CursorText {
  write(cursor: StreamCursor): string
  /** Null for what we did not write. */
  read(text: string): StreamCursor | null
}

const algorithm = 'aes-128-ecb'
const keyBytes = 16
/** One block: four bytes of the epoch, six of the floor, six of the moment. */
const cursorBytes = 16
const written = /^[\w-]{22}$/

/** Each cursor is one block, and no two are the same, so the cipher needs no chaining. */
export function cursorText(coreKey: Buffer): CursorText {
  const key = Buffer.from(hkdfSync('sha256', coreKey, Buffer.alloc(0), 'event stream', keyBytes))
  return {
    write({ epoch, floor, at }) {
      const block = Buffer.alloc(cursorBytes)
      block.writeUInt32BE(epoch, 0)
      block.writeUIntBE(floor, 4, 6)
      block.writeUIntBE(Math.max(0, Math.floor(at)), 10, 6)
      const cipher = createCipheriv(algorithm, key, null).setAutoPadding(false)
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
    },
    read(text) {
      if (!written.test(text)) return null
      const decipher = createDecipheriv(algorithm, key, null).setAutoPadding(false)
      const block = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()])
      return { epoch: block.readUInt32BE(0), floor: block.readUIntBE(4, 6), at: block.readUIntBE(10, 6) }
    },
  }
}
