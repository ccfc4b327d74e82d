/** Names that nothing has yet: `shop`, `shop-2`, and so on. An export may have thousands of one name. */
export class FreeNames {
  private readonly counts = new Map<string, number>()

  /** @param among sets of names that do not meet */
  of(base: string, separator: '-' | '_', isTaken: (name: string) => boolean, among = ''): string {
    const mark = `${among}${separator}${base}`
    let count = this.counts.get(mark) ?? 1
    const name = () => (count === 1 ? base : `${base}${separator}${count}`)
    while (isTaken(name())) count += 1
    this.counts.set(mark, count)
    return name()
  }
}
