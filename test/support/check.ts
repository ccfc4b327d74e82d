// Runs one check the way the probing process does, against servers of the test.
import { type ErrorTypeSymbol, errorTypeById } from '../../src/domain/judging/error-types.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment, type EquipmentOptions } from '../../src/sensor/equipment.ts'
import type { LoopWatch } from '../../src/sensor/loop-watch.ts'
import type { CheckJob, CheckResult, Settings } from '../../src/sensor/protocol.ts'

export interface Checker {
  check(typeId: string, address: string, settings?: Settings, ownerKey?: string): Promise<CheckResult>
  stop(): void
}

export const clock = { now: () => Date.now() }

/** The truth guard has tests of its own; in others a busy machine must not make everything unknown. */
export const neverBlind: LoopWatch = { heldMsSince: () => 0, starvedMs: () => 0, begin: () => () => {}, stop: () => {} }

export function createChecker(options: Partial<EquipmentOptions> & { readonly watch?: LoopWatch } = {}): Checker {
  const watch = options.watch ?? neverBlind
  const bench = { equipment: createEquipment({ allow: 'all', ...options }), watch, clock }
  return {
    check: (typeId, address, settings = {}, ownerKey = 'owner') =>
      runCheck({ ...jobFor(typeId, address, settings), ownerKey }, bench),
    stop: () => watch.stop(),
  }
}

export function jobFor(typeId: string, address: string, settings: Settings = {}): CheckJob {
  const startAt = clock.now()
  return { serviceId: 7, sensorId: 3, typeId, address, settings, startAt, deadlineAt: startAt + 60_000 }
}

/** `ok`, or the symbol of the failure: what a row of a truth table says. */
export function verdictOf(result: CheckResult): ErrorTypeSymbol | 'ok' {
  if (result.result === 'ok') return 'ok'
  const type = result.errorTypeId === null ? null : errorTypeById(result.errorTypeId)
  if (type === null) throw new Error(`no error type: ${result.errorMessage}`)
  return type.symbol
}
