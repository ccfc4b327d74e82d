import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Element } from 'ltx'
import { reader, saysTooMuch } from './reader.ts'

/** Bytes that the server may say between two things that it is told: eight messages come back, each with its text. */
const longestAnswers = 1024 * 1024

/** An XML stream to a server (RFC 6120, section 4). Any error ends the stream and nothing else. */
export interface XmppStream {
  isSecure(): boolean
  /** Why it ended; null while it is open. */
  ended(): Error | null
  write(xml: string): void
  /** The next wanted element from the server; rejects if the stream ends. Call it before the question is written. */
  next(isWanted: (element: Element) => boolean): Promise<Element>
  /** Calls the listener for every element until the returned function is called. */
  listen(listener: (element: Element) => void): () => void
  /** Called once, when the stream ends. */
  onEnd(listener: (reason: Error) => void): () => void
  /** Restarts the stream over the same connection. */
  restart(): void
  /** Encrypts the connection; the server must prove that it is `domain`. */
  secure(domain: string): Promise<void>
  end(reason: Error): void
}

export interface XmppServer {
  readonly host: string
  readonly port: number
  /** True: TLS from the first byte. */
  readonly isTls: boolean
  readonly domain: string
}

export function dial({ host, port, isTls, domain }: XmppServer): { stream: XmppStream; connected: Promise<void> } {
  const socket = isTls ? connectTls({ host, port, servername: domain }) : connectTcp({ host, port })
  const stream = new SocketStream(socket, isTls)
  const connected = new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => resolve())
    stream.onEnd(reject)
  })
  // The caller gets the error, even if it awaits later than the end.
  connected.catch(() => undefined)
  return { stream, connected }
}

class SocketStream implements XmppStream {
  readonly #listeners = new Set<(element: Element) => void>()
  readonly #endListeners = new Set<(reason: Error) => void>()
  #socket: Socket
  #isSecure: boolean
  #end: Error | null = null
  #heard = 0
  #stopReading: () => void

  constructor(socket: Socket, isTls: boolean) {
    this.#socket = socket
    this.#isSecure = isTls
    this.#stopReading = this.#read(socket)
  }

  isSecure(): boolean {
    return this.#isSecure
  }

  ended(): Error | null {
    return this.#end
  }

  write(xml: string): void {
    if (this.#end !== null) return
    this.#heard = 0
    this.#socket.write(xml)
  }

  next(isWanted: (element: Element) => boolean): Promise<Element> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end)
      const stopListening = this.listen((element) => {
        if (!isWanted(element)) return
        stopListening()
        this.#endListeners.delete(reject)
        resolve(element)
      })
      this.#endListeners.add(reject)
    })
  }

  listen(listener: (element: Element) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onEnd(listener: (reason: Error) => void): () => void {
    if (this.#end === null) this.#endListeners.add(listener)
    else listener(this.#end)
    return () => this.#endListeners.delete(listener)
  }

  restart(): void {
    this.#stopReading()
    this.#stopReading = this.#read(this.#socket)
  }

  secure(domain: string): Promise<void> {
    this.#stopReading()
    return new Promise((resolve, reject) => {
      this.#endListeners.add(reject)
      this.#socket = connectTls({ socket: this.#socket, servername: domain }, () => {
        this.#endListeners.delete(reject)
        this.#isSecure = true
        resolve()
      })
      this.#stopReading = this.#read(this.#socket)
    })
  }

  end(reason: Error): void {
    if (this.#end !== null) return
    this.#end = reason
    this.#socket.destroy()
    for (const listener of this.#endListeners) listener(reason)
    this.#endListeners.clear()
    this.#listeners.clear()
  }

  #read(socket: Socket): () => void {
    const hear = (element: Element) => {
      for (const listener of [...this.#listeners]) listener(element)
    }
    const parse = reader(hear, (reason) => this.end(reason))
    const read = (chunk: Buffer) => {
      this.#heard += chunk.length
      if (this.#heard > longestAnswers) this.end(saysTooMuch())
      else parse(chunk)
    }
    const broken = (error: Error) => this.end(error)
    const closed = () => this.end(new Error('it hung up'))
    socket.on('data', read).on('error', broken).on('close', closed)
    return () => socket.off('data', read).off('close', closed)
  }
}
