import type { Socket } from 'node:net'
import { Element } from 'ltx'
import SaxParser from 'ltx/src/parsers/ltx.js'

export interface StreamListener {
  opened(): void
  said(element: Element): void
  closed(): void
}

/**
 * Reads an XMPP stream (RFC 6120, section 4) from a socket until it is cut off. A new one is made after each restart.
 */
export function readStream(socket: Socket, listener: StreamListener): () => void {
  const parser = new SaxParser()
  let root: Element | null = null
  let current: Element | null = null
  parser.on('startElement', (name: string, attributes: Record<string, string>) => {
    const element = new Element(name, attributes)
    if (root === null) {
      root = element
      listener.opened()
    } else {
      current = (current ?? root).cnode(element)
    }
  })
  parser.on('text', (text: string) => current?.t(text))
  parser.on('endElement', () => {
    const ended = current
    if (ended === null) listener.closed()
    else if (ended.parent === root) {
      current = null
      listener.said(ended)
    } else current = ended.parent
  })
  parser.on('error', () => socket.destroy())
  const read = (chunk: Buffer) => parser.write(chunk.toString('utf8'))
  socket.on('data', read)
  return () => socket.off('data', read)
}
