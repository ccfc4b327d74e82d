import { isDeepStrictEqual } from 'node:util'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { idOf } from '../support/replies.ts'
import type { Disagreement } from './compare.ts'
import { levelOf, secondsOf } from './model/level.ts'
import type { Life } from './model/life.ts'
import type { Script, ServiceScript, Stretch } from './script.ts'
import type { Stage } from './stage.ts'

const week = 7 * 86_400_000

/** Asks for the service level of the whole story and of each of its weeks, and counts the seconds beside it. */
export async function levelDisagreements(
  stage: Stage,
  script: Script,
  expected: ReadonlyMap<number, Life>,
): Promise<Disagreement[]> {
  const found: Disagreement[] = []
  for (const service of script.services) {
    if (service.createdAt >= script.to) continue
    await correct(stage, service)
    const seconds = secondsOf(script, expected.get(service.id)?.changes ?? [], service)
    for (const range of rangesOf(script)) {
      const model = levelOf(seconds, script, range, service.createdAt)
      const program = await levelByProgram(stage, service, range)
      if (isDeepStrictEqual(model, program)) continue
      found.push({ service, at: range.from, expected: { ...range, ...model }, seen: program })
      break
    }
  }
  return found
}

function rangesOf({ from, to }: Script): Stretch[] {
  const ranges = [{ from: from - week, to: to + week }]
  for (let start = from; start < to; start += week) ranges.push({ from: start, to: start + week })
  return ranges
}

async function correct(stage: Stage, { id, owner, corrections }: ServiceScript): Promise<void> {
  for (const { from, to, status } of corrections) {
    const body = { service_id: id, start_time: formatMoment(from), end_time: formatMoment(to), status }
    idOf(await stage.call(owner, 'POST', '/corrections', body))
  }
}

async function levelByProgram(stage: Stage, { id, owner }: ServiceScript, { from, to }: Stretch): Promise<unknown> {
  const query = `from=${formatMoment(from)}&to=${formatMoment(to)}`
  return (await stage.call(owner, 'GET', `/services/${id}/history/service_level?${query}`)).body
}
