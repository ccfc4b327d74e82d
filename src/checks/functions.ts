import type { CheckFunction } from '../sensor/check-function.ts'

/** The station's functions by the `check` of a declaration, loaded with the first such job. Only stations load them. */
const loading: Readonly<Record<string, () => Promise<CheckFunction>>> = {
  dns: async () => (await import('./dns/check.ts')).checkDns,
  http: async () => (await import('./http/check.ts')).checkHttp,
  page: async () => (await import('./page/check.ts')).checkPage,
  ping: async () => (await import('./ping/check.ts')).checkPing,
  scenario: async () => (await import('./scenario/check.ts')).checkScenario,
  smtp_helo: async () => (await import('./smtp-helo/check.ts')).checkSmtpHelo,
  tcp_connect: async () => (await import('./tcp-connect/check.ts')).checkTcpConnect,
  tls: async () => (await import('./tls/check.ts')).checkTls,
  websocket: async () => (await import('./websocket/check.ts')).checkWebSocket,
  redis: async () => (await import('./redis/check.ts')).checkRedis,
  postgresql: async () => (await import('./postgresql/check.ts')).checkPostgresql,
  mysql: async () => (await import('./mysql/check.ts')).checkMysql,
  mqtt: async () => (await import('./mqtt/check.ts')).checkMqtt,
  imap: async () => (await import('./imap/check.ts')).checkImap,
  pop3: async () => (await import('./pop3/check.ts')).checkPop3,
  ftp: async () => (await import('./ftp/check.ts')).checkFtp,
  ssh: async () => (await import('./ssh/check.ts')).checkSsh,
  ntp: async () => (await import('./ntp/check.ts')).checkNtp,
  snmp: async () => (await import('./snmp/check.ts')).checkSnmp,
  grpc: async () => (await import('./grpc/check.ts')).checkGrpc,
  prometheus: async () => (await import('./prometheus/check.ts')).checkPrometheus,
  rabbitmq: async () => (await import('./rabbitmq/check.ts')).checkRabbitmq,
  mongodb: async () => (await import('./mongodb/check.ts')).checkMongodb,
  udp: async () => (await import('./udp/check.ts')).checkUdp,
}

const loaded = new Map<string, Promise<CheckFunction>>()

/** Undefined: this station knows no such check. Rejects if its code cannot be loaded; the next job tries again. */
export function checkFunction(check: string): Promise<CheckFunction> | undefined {
  const known = loaded.get(check) ?? (Object.hasOwn(loading, check) ? loading[check]?.() : undefined)
  if (known === undefined) return undefined
  loaded.set(check, known)
  known.catch(() => loaded.delete(check)) // The caller hears of it.
  return known
}
