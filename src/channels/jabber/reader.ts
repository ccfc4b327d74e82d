import { StringDecoder } from 'node:string_decoder'
import { Element } from 'ltx'
import SaxParser from 'ltx/src/parsers/ltx.js'

/** The limit of an element from the server, in characters: a refusal may repeat the longest message, escaped. */
const longestElement = 128 * 1024

/**
 * Characters that the parser gets at once. From each character of an open comment or text it looks for the end through
 * all that it got, and copies what it still holds of an open part: larger pieces make the first dear, smaller ones the
 * second.
 */
const pieceLength = 256

export function saysTooMuch(): Error {
  return new Error('it says too much')
}

/** Parses bytes into the children of the stream's root. */
export function reader(hear: (element: Element) => void, finish: (reason: Error) => void): (chunk: Buffer) => void {
  const parser = new SaxParser()
  const decoder = new StringDecoder('utf8')
  const take = inPieces()
  let root: Element | null = null
  let current: Element | null = null
  let length = 0
  parser.on('startElement', (name: string, attributes: Record<string, string>) => {
    const element = new Element(name, attributes)
    if (root === null) root = element
    else current = (current ?? root).cnode(element)
  })
  parser.on('text', (text: string) => current?.t(text))
  parser.on('endElement', () => {
    if (current === null) return finish(new Error('it ended the stream'))
    const ended = current
    current = ended.parent === root ? null : ended.parent
    if (current !== null) return
    length = 0
    // A parsed element needs its root only for namespaces, so the root keeps none.
    root?.children.splice(0)
    if (ended.is('error', 'http://etherx.jabber.org/streams')) finish(new Error(conditionOf(ended)))
    else hear(ended)
  })
  parser.on('error', () => finish(new Error('it does not speak XML')))
  return (chunk) => {
    try {
      for (const piece of take(decoder.write(chunk))) {
        length += piece.length
        if (length > longestElement) throw saysTooMuch()
        parser.write(piece)
      }
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** The parser forgets what stood before a piece, so none may part `-->` or `?>`. */
const openEnd = /[-\]?]{1,2}$/

function withoutOpenEnd(text: string, to: number): number {
  return to - (openEnd.exec(text.slice(to - 2, to))?.[0].length ?? 0)
}

/** Keeps what ends no tag until it is a whole piece, however small the parts are in which it comes. */
function inPieces(): (text: string) => Iterable<string> {
  let waiting = ''
  return function* take(text) {
    waiting += text
    const { length } = waiting
    const ready = length < pieceLength ? waiting.lastIndexOf('>') + 1 : withoutOpenEnd(waiting, length)
    const taken = waiting.slice(0, ready)
    waiting = waiting.slice(ready)
    for (let at = 0, to = 0; at < ready; at = to) {
      to = ready - at <= pieceLength ? ready : withoutOpenEnd(taken, at + pieceLength)
      yield taken.slice(at, to)
    }
  }
}

/** `not-authorized`: the name of the first child, with which errors of every kind begin. */
export function conditionOf(error: Element | undefined): string {
  const first = error?.getChildElements().find(({ name }) => name !== 'text')
  return first?.name ?? 'undefined-condition'
}
