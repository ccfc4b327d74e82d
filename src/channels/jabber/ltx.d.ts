/** Types for the parts that we use of the package, which has none. */
declare module 'ltx' {
  export class Element {
    constructor(name: string, attributes: Readonly<Record<string, string>>)
    readonly name: string
    readonly attrs: Readonly<Record<string, string>>
    readonly parent: Element | null
    readonly children: (Element | string)[]
    cnode(child: Element): Element
    t(text: string): Element
    getChild(name: string, namespace?: string): Element | undefined
    getChildElements(): readonly Element[]
    getChildText(name: string): string | null
    getText(): string
    is(name: string, namespace?: string): boolean
  }
  export function escapeXML(text: string): string
  export function escapeXMLText(text: string): string
}

declare module 'ltx/src/parsers/ltx.js' {
  import { EventEmitter } from 'node:events'

  const SaxParser: new () => EventEmitter & { write(data: string): void }
  export = SaxParser
}
