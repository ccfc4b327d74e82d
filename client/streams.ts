/** Answers that come in parts: lines of JSON, and Server-Sent Events. */

/** The text of an answer as it comes. Ends early without an error if it is silent for longer than `silenceMs`. */
async function* textOf(response: Response, silenceMs?: number): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const timer = silenceMs === undefined ? undefined : setTimeout(() => void reader.cancel(), silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Parts of a text before a separator. The last value is the text after the last separator, which may be cut. */
async function* partsOf(texts: AsyncIterable<string>, separator: string): AsyncGenerator<string, string> {
  let rest = ''
  for await (const text of texts) {
    const parts = (rest + text).split(separator)
    rest = parts.pop() ?? ''
    yield* parts
  }
  return rest
}

/** Lines of JSON, each as soon as it is there. */
export async function* linesOf<Line = unknown>(response: Response): AsyncGenerator<Line> {
  const lines = partsOf(textOf(response), '\n')
  try {
    for (;;) {
      const { done, value } = await lines.next()
      if (value !== '') yield JSON.parse(value) as Line
      if (done) return
    }
  } finally {
    await lines.return('')
  }
}

/** An event of the stream, or the place to which a comment has brought it. */
export interface StreamBlock {
  /** Empty: only the id moves. */
  readonly event: string
  readonly data: string
  readonly id: string | null
}

/** The server says something every 15 seconds. */
const silenceMs = 40_000

/** Blocks of an event stream until it ends or falls silent. */
export async function* blocksOf(response: Response): AsyncGenerator<StreamBlock> {
  for await (const block of partsOf(textOf(response, silenceMs), '\n\n')) {
    const lines = block.split('\n')
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    yield { event: field('event') ?? '', data: field('data') ?? '', id: field('id') ?? null }
  }
}
