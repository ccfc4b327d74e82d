import { TextDecoder } from 'node:util'
import type { StoredContent } from '../rest/call.ts'

/** Bytes at most that are read of a page. */
const maximumBytes = 65_536

const textType = /^(text\/|application\/(json|xml|xhtml|[\w.-]+\+(json|xml)))/i

/** Elements whose content nobody reads. */
const unseen = ['script', 'style', 'noscript', 'template', 'svg']

/** The beginning of a stored page as a reader sees it; null if it is no text. */
export async function pageText(content: StoredContent, contentType: string): Promise<string | null> {
  if (!textType.test(contentType)) return null
  const chunks: Buffer[] = []
  const end = Math.min(content.size, maximumBytes)
  if (end === 0) return ''
  for await (const chunk of await content.open({ start: 0, end })) chunks.push(Buffer.from(chunk as Uint8Array))
  const text = decoderOf(contentType).decode(Buffer.concat(chunks))
  return /html|xml/i.test(contentType) ? visibleText(text) : text
}

function decoderOf(contentType: string): TextDecoder {
  const [, charset = 'utf-8'] = /charset="?([\w-]{1,40})/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/** The text between the tags, in one pass: the page may be written to keep a parser busy. */
function visibleText(html: string): string {
  const parts: string[] = []
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    parts.push(html.slice(at, open < 0 ? undefined : open))
    if (open < 0) break
    at = endOfTag(lower, open)
  }
  return decoded(parts.join(' ')).replaceAll(/\s+/g, ' ').trim()
}

/** The place after a tag or a comment, and after the content of an element that nobody reads. */
function endOfTag(lower: string, open: number): number {
  const after = (mark: string, from: number) => {
    const found = lower.indexOf(mark, from)
    return found < 0 ? lower.length : found + mark.length
  }
  if (lower.startsWith('<!--', open)) return after('-->', open + 4)
  const name = /^[a-z]+/.exec(lower.slice(open + 1, open + 12))?.[0] ?? ''
  const end = after('>', open)
  return unseen.includes(name) ? after('>', after(`</${name}`, end) - 1) : end
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (all, code?: string, name?: string) =>
    code === undefined ? (entities[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  )
}
