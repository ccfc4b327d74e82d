/** A first piece of so many bytes is kept as it is: it holds sixty times its size at most. */
const large = 1024

/**
 * Bytes that arrive in pieces, copied together. A piece that Node.js hands out shares the memory of a whole read, so
 * kept pieces of one byte each would hold sixty thousand times their size.
 */
export class GatheredBytes {
  #kept: Buffer = Buffer.alloc(0)
  length = 0

  add(piece: Buffer): void {
    const needed = this.length + piece.length
    if (this.length === 0 && piece.length >= large) {
      this.#kept = piece
      this.length = needed
      return
    }
    if (needed > this.#kept.length) {
      const grown = Buffer.alloc(Math.max(needed, 2 * this.#kept.length))
      this.#kept.copy(grown, 0, 0, this.length)
      this.#kept = grown
    }
    piece.copy(this.#kept, this.length)
    this.length = needed
  }

  /** All of them so far; valid until the next piece. */
  whole(): Buffer {
    return this.#kept.subarray(0, this.length)
  }
}
