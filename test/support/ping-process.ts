// Checks pings in the network namespace that it runs in, which it makes ready for that. Arguments: the checks, as JSON.
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { createPinger } from '../../src/sensor/ping/pinger.ts'
import { clock, jobFor, neverBlind, verdictOf } from './check.ts'
import type { SeenPing, WantedPing } from './ping-namespace.ts'
import { permitPings } from './ping-rights.ts'

async function seen({ typeId, address, settings }: WantedPing): Promise<SeenPing> {
  const result = await runCheck(jobFor(typeId, address, settings), { equipment, watch: neverBlind, clock })
  return { verdict: verdictOf(result), message: result.errorMessage, responseTime: result.responseTime }
}

permitPings()
const pinger = createPinger({ program: null })
const equipment = { ...createEquipment({ allow: 'all' }), pinger }
const wanted = JSON.parse(process.argv[2] ?? '[]') as readonly WantedPing[]
process.stdout.write(JSON.stringify({ way: pinger.way(), seen: await Promise.all(wanted.map(seen)) }))
process.exit(0)
