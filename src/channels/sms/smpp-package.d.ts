/** Types for the parts that we use of the package, which has none. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server as NetServer, Socket } from 'node:net'

  export interface Pdu {
    readonly command: string
    readonly command_status: number
    readonly [parameter: string]: unknown
    response(parameters?: object): Pdu
  }

  export interface Session extends EventEmitter {
    readonly socket: Socket
    /** False if nothing can be written. */
    send(pdu: Pdu): boolean
    bind_transceiver(parameters: object, answered: (pdu: Pdu) => void): boolean
    submit_sm(parameters: object, answered: (pdu: Pdu) => void): boolean
    enquire_link(parameters: object, answered: (pdu: Pdu) => void): boolean
    unbind(parameters: object, answered: (pdu: Pdu) => void): boolean
    close(): void
    destroy(): void
  }

  export function connect(options: { readonly host: string; readonly port: number; readonly tls: boolean }): Session
  export function createServer(listener: (session: Session) => void): NetServer
}
