// The process whose CPU is measured: our checks and the bare loop, on request.
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { watchLoop } from '../../src/sensor/loop-watch.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { permitPings } from '../../test/support/ping-rights.ts'
import { bareClients } from './bare.ts'
import { domainCheck } from './core.ts'
import { type FurtherProtocol, furtherProtocols, furtherTalk } from './further.ts'
import { type Kind, type Once, repeat } from './kinds.ts'
import { type Protocol, protocols } from './protocols.ts'
import type { Targets } from './targets.ts'

export interface Order {
  readonly targets: Targets
  readonly kind: Kind
  readonly who: 'ours' | 'bare'
  readonly times: number
}

/** Set in a network namespace that was made for pings. */
if (process.env['PERMIT_PINGS'] !== undefined) permitPings()

const clock = { now: () => Date.now() }
const bench = { equipment: createEquipment({ allow: 'all' }), watch: watchLoop(), clock }

function check(typeId: string, address: string, settings: Settings): Once {
  return async () => {
    const startAt = clock.now()
    const job = { serviceId: 1, sensorId: 1, typeId, address, settings, startAt, deadlineAt: startAt + 30_000 }
    const result = await runCheck(job, bench)
    if (result.result !== 'ok') throw new Error(`${typeId}: ${result.errorMessage}`)
  }
}

function ourChecks(targets: Targets): Readonly<Record<Kind, Once>> {
  const question = { port: targets.dns, query_name: 'www.example.com', query_type: 'A', timeout: 5000 }
  const talking = protocols.map((name) => {
    return [name, check(name, '127.0.0.1', { port: targets[name], timeout: 5000, tls: 'off' })] as const
  })
  const others = furtherProtocols.map((name) => {
    const { address, settings } = furtherTalk(name)
    return [name, check(name, address(targets[name]), settings(targets[name]))] as const
  })
  return {
    ...(Object.fromEntries(others) as Record<FurtherProtocol, Once>),
    ...(Object.fromEntries(talking) as Record<Protocol, Once>),
    http: check('http', `127.0.0.1:${targets.http}/`, { timeout: 7000 }),
    https: check('https', `127.0.0.1:${targets.https}/`, { timeout: 7000, verify_certificate: false }),
    tcp_connect: check('tcp_connect', `127.0.0.1:${targets.tcp_connect}`, { timeout: 5000 }),
    ping: check('ping', '127.0.0.1', { reply_timeout: 5000 }),
    domain: domainCheck(targets.domain),
    dns: check('dns', '127.0.0.1', question),
  }
}

process.on('message', async ({ targets, kind, who, times }: Order) => {
  const once = (who === 'ours' ? ourChecks(targets) : bareClients(targets))[kind]
  const before = process.cpuUsage()
  await repeat(once, times)
  const { user, system } = process.cpuUsage(before)
  process.send?.((user + system) / 1000 / times)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
