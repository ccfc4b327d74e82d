/** The monitored services of the demo's company, and the ports of its servers. */
import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import type { SettingValue } from '../domain/services/service-types.ts'
import type { Part } from './moods.ts'

/** The ports of the targets. */
export interface TargetPorts {
  readonly web: number
  readonly secure: number
  readonly dns: number
  readonly smtp: number
  readonly imap: number
  readonly warehouse: number
  readonly websocket: number
  readonly websocketTls: number
  readonly redis: number
  readonly postgresql: number
  readonly mysql: number
  readonly mongodb: number
  readonly mqtt: number
  readonly mailbox: number
  readonly pop3: number
  readonly ftp: number
  readonly ssh: number
  readonly ntp: number
  readonly snmp: number
  readonly grpc: number
  readonly prometheus: number
  readonly prometheusTls: number
  readonly rabbitmq: number
  readonly rdap: number
}

export const placeNames = [
  'web',
  'secure',
  'dns',
  'smtp',
  'imap',
  'warehouse',
  'websocket',
  'websocketTls',
  'redis',
  'postgresql',
  'mysql',
  'mongodb',
  'mqtt',
  'mailbox',
  'pop3',
  'ftp',
  'ssh',
  'ntp',
  'snmp',
  'grpc',
  'prometheus',
  'prometheusTls',
  'rabbitmq',
  'rdap',
] as const satisfies readonly (keyof TargetPorts)[]

export const groupKeys = ['shop', 'office', 'uk', 'staging'] as const
export type GroupKey = (typeof groupKeys)[number]

/** How it fails when its part fails, as its check reports. */
export interface Failing {
  readonly symbol: ErrorTypeSymbol
  readonly message: string
  /** Milliseconds until the failure is known. */
  readonly takes: number
  readonly status?: number
}

export interface DemoService {
  readonly key: string
  readonly group: GroupKey
  readonly part: Part
  readonly typeId: string
  readonly name: string
  readonly description: string
  readonly address: (places: TargetPorts) => string
  readonly settings?: (places: TargetPorts) => Readonly<Record<string, SettingValue>>
  readonly intervalSeconds: number
  /** On a quiet night: the server's time in milliseconds, and the received bytes. */
  readonly server: number
  readonly bytes: number
  readonly failing: Failing
  /** Keys of the services on which it depends. */
  readonly parents?: readonly string[]
  /** Further members of the service about its notifications and hours. */
  readonly more?: Readonly<Record<string, unknown>>
}
