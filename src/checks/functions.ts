import type { CheckFunction } from '../sensor/check-function.ts'
import { checkDns } from './dns/check.ts'
import { checkFtp } from './ftp/check.ts'
import { checkGrpc } from './grpc/check.ts'
import { checkHttp } from './http/check.ts'
import { checkImap } from './imap/check.ts'
import { checkMongodb } from './mongodb/check.ts'
import { checkMqtt } from './mqtt/check.ts'
import { checkMysql } from './mysql/check.ts'
import { checkNtp } from './ntp/check.ts'
import { checkPage } from './page/check.ts'
import { checkPing } from './ping/check.ts'
import { checkPop3 } from './pop3/check.ts'
import { checkPostgresql } from './postgresql/check.ts'
import { checkPrometheus } from './prometheus/check.ts'
import { checkRabbitmq } from './rabbitmq/check.ts'
import { checkRedis } from './redis/check.ts'
import { checkScenario } from './scenario/check.ts'
import { checkSmtpHelo } from './smtp-helo/check.ts'
import { checkSnmp } from './snmp/check.ts'
import { checkSsh } from './ssh/check.ts'
import { checkTcpConnect } from './tcp-connect/check.ts'
import { checkTls } from './tls/check.ts'
import { checkUdp } from './udp/check.ts'
import { checkWebSocket } from './websocket/check.ts'

/** The station's function for the `check` of a declaration. Only stations load it. */
export const checkFunctions: Readonly<Record<string, CheckFunction>> = {
  dns: checkDns,
  http: checkHttp,
  page: checkPage,
  ping: checkPing,
  scenario: checkScenario,
  smtp_helo: checkSmtpHelo,
  tcp_connect: checkTcpConnect,
  tls: checkTls,
  websocket: checkWebSocket,
  redis: checkRedis,
  postgresql: checkPostgresql,
  mysql: checkMysql,
  mqtt: checkMqtt,
  imap: checkImap,
  pop3: checkPop3,
  ftp: checkFtp,
  ssh: checkSsh,
  ntp: checkNtp,
  snmp: checkSnmp,
  grpc: checkGrpc,
  prometheus: checkPrometheus,
  rabbitmq: checkRabbitmq,
  mongodb: checkMongodb,
  udp: checkUdp,
}
