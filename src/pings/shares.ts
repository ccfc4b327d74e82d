/**
 * Room that several sources share. A source may have a part of the room that is left, so the more sources there are,
 * the less each one has, and a new one always finds room.
 */
export class Shares {
  readonly #room: number
  readonly #of = new Map<string, number>()
  #used = 0

  constructor(room: number) {
    this.#room = room
  }

  /** Room that nobody has. */
  get left(): number {
    return this.#room - this.#used
  }

  /** True if the source may have that much more. @param part of the room that is left, at most 1 */
  fits(source: string, amount: number, part = 1): boolean {
    return (this.#of.get(source) ?? 0) + amount <= part * this.left
  }

  /** Takes room whether it fits or not, because the caller asked before; gives it back if the amount is negative. */
  move(source: string, amount: number): void {
    const own = (this.#of.get(source) ?? 0) + amount
    if (own > 0) this.#of.set(source, own)
    else this.#of.delete(source)
    this.#used += amount
  }
}
