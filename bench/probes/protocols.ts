// Protocols over TCP that the demo's servers speak: what their checks are asked, and how often each side has its turn.
import type { Server } from 'node:net'
import {
  ftpServer,
  imapServer,
  mongodbServer,
  mqttBroker,
  mysqlServer,
  pop3Server,
  postgresqlServer,
  redisServer,
  sshServer,
} from '../../src/demo/targets/protocols.ts'
import type { Moods } from '../../src/demo/targets/web.ts'

export const protocols = ['redis', 'postgresql', 'mysql', 'mongodb', 'mqtt', 'imap', 'pop3', 'ftp', 'ssh'] as const
export type Protocol = (typeof protocols)[number]

interface Talk {
  readonly serve: (moods: Moods) => Server
  /** Whether the server speaks first. */
  readonly greets: boolean
  /** Questions that it answers afterwards. */
  readonly questions: number
}

export const talks: Readonly<Record<Protocol, Talk>> = {
  redis: { serve: redisServer, greets: false, questions: 1 },
  postgresql: { serve: postgresqlServer, greets: false, questions: 1 },
  mysql: { serve: mysqlServer, greets: true, questions: 1 },
  mongodb: { serve: mongodbServer, greets: false, questions: 2 },
  mqtt: { serve: mqttBroker, greets: false, questions: 1 },
  imap: { serve: imapServer, greets: true, questions: 1 },
  pop3: { serve: pop3Server, greets: true, questions: 1 },
  ftp: { serve: ftpServer, greets: true, questions: 1 },
  ssh: { serve: sshServer, greets: true, questions: 1 },
}
