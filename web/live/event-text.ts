/** An event of the stream, or where a comment has brought it. */
export interface StreamBlock {
  /** Empty: only the id moves. */
  readonly event: string
  readonly data: string
  readonly id: string | null
}

/** Splits the text of the stream, as it comes, into its blocks. */
export function blockReader(take: (block: StreamBlock) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      take({ event: field('event') ?? '', data: field('data') ?? '', id: field('id') ?? null })
    }
  }
}
