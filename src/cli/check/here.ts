import { setTimeout as pause } from 'node:timers/promises'
import { needsBrowser } from '../../checks/index.ts'
import type { Config } from '../../config/config.ts'
import { answerDeadline } from '../../domain/analysis.ts'
import { effectiveSettings } from '../../domain/extended-settings.ts'
import { startLocalStations } from '../../sensor/local.ts'
import { unanswered } from '../../sensor/probing-process.ts'
import type { CheckJob, CheckResult } from '../../sensor/protocol.ts'
import type { ShownCheck } from './shown.ts'
import type { Target } from './target.ts'

const noService = 0
const noSensor = 0

/** Checks once on this machine, as a station of it would: without a database. */
export async function checkHere(
  { type, address, settings }: Target,
  { allowPrivateTargets: allow, browser }: Pick<Config, 'allowPrivateTargets' | 'browser'>,
): Promise<CheckResult> {
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

export function shownHere({
  result,
  responseTime,
  errorTypeId,
  errorMessage,
  phases,
  evidence,
}: CheckResult): ShownCheck {
  return {
    ...{ station: null, result, responseTime, errorTypeId, errorMessage },
    phases: phases === null ? null : { ...phases },
    statusCode: evidence?.status_code ?? null,
    ipAddress: evidence?.ip_address ?? null,
  }
}
