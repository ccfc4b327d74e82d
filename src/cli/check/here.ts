import { setTimeout as pause } from 'node:timers/promises'
import { isInCore, needsBrowser } from '../../checks/index.ts'
import type { Config } from '../../config/config.ts'
import { warningDaysOf } from '../../domain/expiry/expiry.ts'
import { answerDeadline } from '../../domain/judging/analysis.ts'
import type { DegradedReason } from '../../domain/judging/degraded.ts'
import { reasonsOfCheck } from '../../domain/judging/trial.ts'
import { effectiveSettings } from '../../domain/services/extended-settings.ts'
import { waysToRegistries } from '../../program/registries.ts'
import { checkDomain } from '../../registries/domain-check.ts'
import { Registries } from '../../registries/registries.ts'
import { passingStore } from '../../registries/store.ts'
import { startLocalStations } from '../../sensor/local.ts'
import { unanswered } from '../../sensor/probing-process.ts'
import type { CheckJob, CheckResult } from '../../sensor/protocol.ts'
import type { ShownCheck } from './shown.ts'
import type { CheckTarget } from './target.ts'

const noService = 0
const noSensor = 0

type Rules = Pick<Config, 'allowPrivateTargets' | 'browser' | 'rdapBootstrapUrl' | 'whoisServer'>

/** As the core would, with nothing remembered. */
function checkInCore({ type, address, settings }: CheckTarget, rules: Rules): Promise<CheckResult> {
  const clock = { now: () => Date.now() }
  const registries = new Registries({ store: passingStore(), clock, ...waysToRegistries(rules) })
  const job: CheckJob = {
    ...{ serviceId: noService, sensorId: noSensor, typeId: type.id, address },
    ...{ settings: effectiveSettings(type, settings), startAt: clock.now(), deadlineAt: Number.POSITIVE_INFINITY },
  }
  return checkDomain(job, registries, clock.now)
}

/** Checks once on this machine, as a station of it would: without a database. */
export async function checkHere(target: CheckTarget, rules: Rules): Promise<CheckedHere> {
  const { type, settings } = target
  const result = await (isInCore(type.id) ? checkInCore(target, rules) : checkByStation(target, rules))
  const warningDays = warningDaysOf(effectiveSettings(type, settings)['warning_days'])
  return { ...result, reasons: reasonsOfCheck(result, warningDays, Date.now()) }
}

async function checkByStation(target: CheckTarget, rules: Rules): Promise<CheckResult> {
  const { type, address, settings } = target
  const { allowPrivateTargets: allow, browser } = rules
  const isInBrowser = needsBrowser(type.id)
  const stations = await startLocalStations({
    sensorIds: [noSensor],
    allow,
    browser: isInBrowser ? browser : null,
    log: (level, message) => {
      if (level === 'error') process.stderr.write(`latarnik: ${message}\n`)
    },
  })
  try {
    const startAt = Date.now() + stations.leadMs(noSensor)
    const effective = effectiveSettings(type, settings)
    const deadlineAt = answerDeadline(startAt, effective, isInBrowser)
    const job: CheckJob = {
      ...{ serviceId: noService, sensorId: noSensor, typeId: type.id, address },
      ...{ settings: effective, startAt, deadlineAt },
    }
    const late = new AbortController()
    // The check ended first.
    const silence = pause(deadlineAt - Date.now(), null, { signal: late.signal }).catch(() => null)
    const result = await Promise.race([stations.check(job), silence])
    late.abort()
    return result ?? unanswered(job, 'sensor_lost', 'the check did not end in time')
  } finally {
    await stations.stop()
  }
}

/** With the reasons for which the check shows a degraded service. */
export interface CheckedHere extends CheckResult {
  readonly reasons: readonly DegradedReason[]
}

export function shownHere(checked: CheckedHere): ShownCheck {
  const { result, responseTime, errorTypeId, errorMessage, phases, evidence, reasons, expiry, steps } = checked
  return {
    ...{ station: null, result, responseTime, errorTypeId, errorMessage, reasons },
    phases: phases === null ? null : { ...phases },
    statusCode: evidence?.status_code ?? null,
    ipAddress: evidence?.ip_address ?? null,
    expiresAt: expiry?.endsAt ?? null,
    facts: evidence?.facts ?? {},
    steps: steps ?? [],
  }
}
