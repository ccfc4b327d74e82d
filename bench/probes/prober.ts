// The process whose CPU is measured: our checks and the bare loop, on request.
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { watchLoop } from '../../src/sensor/loop-watch.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { permitPings } from '../../test/support/ping-rights.ts'
import { bareClients } from './bare.ts'
import { domainCheck } from './core.ts'
import { type Kind, type Once, repeat } from './kinds.ts'
import type { Targets } from './targets.ts'
import { askedOf } from './wanted.ts'

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

function ourCheck(kind: Kind, targets: Targets): Once {
  if (kind === 'domain') return domainCheck(targets.domain)
  const { address, settings } = askedOf(kind, targets) ?? { address: '127.0.0.1', settings: { reply_timeout: 5000 } }
  return check(kind, address, settings)
}

process.on('message', async ({ targets, kind, who, times }: Order) => {
  const once = who === 'ours' ? ourCheck(kind, targets) : bareClients(targets)[kind]
  const before = process.cpuUsage()
  await repeat(once, times)
  const { user, system } = process.cpuUsage(before)
  process.send?.((user + system) / 1000 / times)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
