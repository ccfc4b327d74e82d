import { connect as connectTcp, type Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { connect as connectTls } from 'node:tls'
import { Element } from 'ltx'
import SaxParser from 'ltx/src/parsers/ltx.js'

/** Characters that a server may say before it ends what it began. */
const longestElement = 512 * 1024

/** An XML stream to a server (RFC 6120, section 4). What breaks it ends it, and nothing else. */
export interface XmppStream {
  isSecure(): boolean
  /** Why it ended; null while it stands. */
  ended(): Error | null
  write(xml: string): void
  /** What the server says next that is wanted; rejects when the stream ends. To be asked for before the question is written. */
  next(isWanted: (element: Element) => boolean): Promise<Element>
  /** Hears every element until the returned function is called. */
  listen(listener: (element: Element) => void): () => void
  /** Called once, when it ends. */
  onEnd(listener: (reason: Error) => void): () => void
  /** Begins the stream anew over the same connection. */
  restart(): void
  /** Encrypts the connection; the server must be who it says (`domain`). */
  secure(domain: string): Promise<void>
  end(reason: Error): void
}

export interface XmppPlace {
  readonly host: string
  readonly port: number
  /** From the first byte. */
  readonly isTls: boolean
  readonly domain: string
}

export function dial({ host, port, isTls, domain }: XmppPlace): { stream: XmppStream; connected: Promise<void> } {
  const socket = isTls ? connectTls({ host, port, servername: domain }) : connectTcp({ host, port })
  const stream = streamOver(socket, isTls)
  const connected = new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => resolve())
    stream.onEnd(reject)
  })
  connected.catch(() => undefined)
  return { stream, connected }
}

function streamOver(first: Socket, isTls: boolean): XmppStream {
  const listeners = new Set<(element: Element) => void>()
  const endListeners = new Set<(reason: Error) => void>()
  let socket = first
  let isSecure = isTls
  let end: Error | null = null
  let stopReading = attach(first)

  function finish(reason: Error): void {
    if (end !== null) return
    end = reason
    socket.destroy()
    for (const listener of endListeners) listener(reason)
    endListeners.clear()
    listeners.clear()
  }

  function attach(from: Socket): () => void {
    const hear = (element: Element) => {
      for (const listener of [...listeners]) listener(element)
    }
    const read = reader(hear, finish)
    const broken = (error: Error) => finish(error)
    const closed = () => finish(new Error('it hung up'))
    from.on('data', read).on('error', broken).on('close', closed)
    return () => from.off('data', read).off('close', closed)
  }

  const stream: XmppStream = {
    isSecure: () => isSecure,
    ended: () => end,
    write: (xml) => void (end === null && socket.write(xml)),
    next(isWanted) {
      return new Promise((resolve, reject) => {
        if (end !== null) return reject(end)
        const stopListening = stream.listen((element) => {
          if (!isWanted(element)) return
          stopListening()
          endListeners.delete(reject)
          resolve(element)
        })
        endListeners.add(reject)
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEnd(listener) {
      if (end === null) endListeners.add(listener)
      else listener(end)
      return () => endListeners.delete(listener)
    },
    restart() {
      stopReading()
      stopReading = attach(socket)
    },
    secure(domain) {
      stopReading()
      return new Promise((resolve, reject) => {
        endListeners.add(reject)
        socket = connectTls({ socket, servername: domain }, () => {
          endListeners.delete(reject)
          isSecure = true
          resolve()
        })
        stopReading = attach(socket)
      })
    },
    end: finish,
  }
  return stream
}

/** Turns bytes into the children of the stream's root. */
function reader(hear: (element: Element) => void, finish: (reason: Error) => void): (chunk: Buffer) => void {
  const parser = new SaxParser()
  const decoder = new StringDecoder('utf8')
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
    // What was heard needs its root to know what it is called, the root keeps nothing.
    root?.children.splice(0)
    if (ended.is('error', 'http://etherx.jabber.org/streams')) finish(new Error(conditionOf(ended)))
    else hear(ended)
  })
  parser.on('error', () => finish(new Error('it does not speak XML')))
  return (chunk) => {
    length += chunk.length
    if (length > longestElement) return finish(new Error('it says too much'))
    try {
      parser.write(decoder.write(chunk))
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** `not-authorized`: the name of the first child, which is what errors of every kind begin with. */
export function conditionOf(error: Element | undefined): string {
  const first = error?.getChildElements().find(({ name }) => name !== 'text')
  return first?.name ?? 'undefined-condition'
}
