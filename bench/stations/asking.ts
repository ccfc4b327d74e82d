import { setTimeout as pause } from 'node:timers/promises'
import { serviceTypeOf } from '../../src/checks/index.ts'
import { errorType } from '../../src/domain/judging/error-types.ts'
import { effectiveSettings } from '../../src/domain/services/extended-settings.ts'
import type { CheckJob, Stations } from '../../src/sensor/protocol.ts'

export const stepMs = 5
const http = serviceTypeOf('http')
/** As the monitoring hands them out: each setting of the type. */
const settings = http === undefined ? {} : effectiveSettings(http, {})

export function jobNumber(serviceId: number, sensorId: number, address: string): CheckJob {
  const startAt = Date.now()
  return { serviceId, sensorId, typeId: 'http', address, settings, startAt, deadlineAt: startAt + 9000 }
}

interface Asking {
  readonly sensorId: number
  readonly address: string
  readonly perSecond: number
  readonly seconds: number
}

export interface Answered {
  readonly asked: number
  readonly good: number
  readonly late: number
}

/** Asks at an even pace and waits for every answer. */
export async function askEvenly(
  stations: Pick<Stations, 'check'>,
  { sensorId, address, perSecond, seconds }: Asking,
): Promise<Answered> {
  const total = perSecond * seconds
  const counts = { good: 0, late: 0 }
  const waiting: Promise<void>[] = []
  const startedAt = performance.now()
  while (waiting.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond)
    while (waiting.length < due) {
      const answer = stations.check(jobNumber(waiting.length, sensorId, address)).then(({ result, errorTypeId }) => {
        if (result === 'ok') counts.good += 1
        else if (errorTypeId === errorType('sensor_late').id) counts.late += 1
      })
      waiting.push(answer)
    }
    await pause(stepMs)
  }
  await Promise.all(waiting)
  return { asked: total, ...counts }
}
