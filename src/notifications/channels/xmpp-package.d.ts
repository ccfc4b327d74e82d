/** What we use of the package, which has no types of its own. */
declare module '@xmpp/client' {
  import type { EventEmitter } from 'node:events'

  export interface XmlElement {
    readonly name: string
    readonly attrs: Readonly<Record<string, string>>
    is(name: string, namespace?: string): boolean
    getChild(name: string, namespace?: string): XmlElement | undefined
    getChildElements(): readonly XmlElement[]
    text(): string
  }

  export interface XmppClient extends EventEmitter {
    /** Null when there is no connection. */
    readonly socket: { destroy?(): void; readonly socket?: { destroy(): void } | null } | null
    readonly reconnect: { stop(): void }
    readonly iqCaller: { request(stanza: XmlElement, timeout: number): Promise<XmlElement> }
    isSecure(): boolean
    connect(service: string): Promise<void>
    open(options: { readonly domain: string }): Promise<unknown>
    send(element: XmlElement): Promise<void>
    stop(): Promise<unknown>
  }

  type Authenticate = (
    credentials: { readonly username: string; readonly password: string },
    mechanism: string | undefined,
  ) => Promise<void>

  export function client(options: {
    readonly service: string
    readonly domain: string
    readonly resource: string
    /** Milliseconds of silence while a stream is opened or closed. */
    readonly timeout: number
    credentials(authenticate: Authenticate, mechanisms: readonly string[]): Promise<void>
  }): XmppClient

  export function xml(
    name: string,
    attributes: Readonly<Record<string, string>>,
    ...children: readonly (XmlElement | string)[]
  ): XmlElement
}
