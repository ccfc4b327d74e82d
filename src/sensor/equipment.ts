import { createDialler, type Dialler, type DiallerOptions } from './dial.ts'
import { createPinger, type Pinger } from './ping/pinger.ts'
import { createTlsClient, type TlsClient, type TlsOptions } from './tls.ts'

/** What the checks of one process share. */
export interface Equipment {
  readonly dialler: Dialler
  readonly tls: TlsClient
  readonly pinger: Pinger
}

export type EquipmentOptions = DiallerOptions & TlsOptions

export function createEquipment(options: EquipmentOptions): Equipment {
  return { dialler: createDialler(options), tls: createTlsClient(options), pinger: createPinger() }
}
