import type { ScenarioOptions } from './scenario.ts'
import type { Script, ServiceScript } from './script.ts'
import { type Outcome, simulate } from './simulate.ts'

/** Makes a story on which program and model disagree as short as it gets in the time given. */

const hour = 3_600_000
/** Milliseconds; a person would rather read a longer story than wait longer. */
const patience = 180_000

/** One thing that a story may do without. */
type Without = (script: Script) => Script

export async function shrunk(options: ScenarioOptions, outcome: Outcome): Promise<Outcome> {
  const [first] = outcome.disagreements
  if (first === undefined) return outcome
  const endsAt = Date.now() + patience
  const alone: Without = (script) => ({
    ...script,
    to: Math.min(script.to, first.at + hour),
    services: script.services.filter(({ id }) => id === first.service.id),
  })
  let best = await attempt(options, [alone])
  if (best === null) return outcome
  let kept = partsOf(best.script)
  const left: Without[] = [alone]
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1 && Date.now() < endsAt;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = 0; start < kept.length && Date.now() < endsAt; ) {
      const chunk = kept.slice(start, start + size)
      const shorter = await attempt(options, [...left, ...chunk])
      if (shorter === null) start += size
      else {
        best = shorter
        left.push(...chunk)
        kept = kept.filter((part) => !chunk.includes(part))
      }
    }
  }
  return best
}

/** Null when they agree without these, or when the story cannot be told without them. */
async function attempt(options: ScenarioOptions, without: readonly Without[]): Promise<Outcome | null> {
  try {
    const outcome = await simulate(options, (script) => without.reduce((rest, remove) => remove(rest), script))
    return outcome.disagreements.length > 0 ? outcome : null
  } catch {
    return null
  }
}

function partsOf(script: Script): Without[] {
  const fromService = (change: (service: ServiceScript) => ServiceScript): Without => {
    return (rest) => ({ ...rest, services: rest.services.map(change) })
  }
  const [service] = script.services
  return [
    ...script.downtimes.map(
      ({ from }): Without =>
        (rest) => ({ ...rest, downtimes: rest.downtimes.filter((one) => one.from !== from) }),
    ),
    ...script.sensors.map(
      ({ id }): Without =>
        (rest) => ({ ...rest, sensors: rest.sensors.map((one) => (one.id === id ? { ...one, losses: [] } : one)) }),
    ),
    ...script.owners.map(
      ({ name }): Without =>
        (rest) => ({
          ...rest,
          owners: rest.owners.map((one) => (one.name === name ? { ...one, blocks: [], zoneChanges: [] } : one)),
        }),
    ),
    ...(service?.troubles ?? []).map(({ from }) =>
      fromService((one) => ({ ...one, troubles: one.troubles.filter((trouble) => trouble.from !== from) })),
    ),
    ...(service?.happenings ?? []).map(({ at }) =>
      fromService((one) => ({ ...one, happenings: one.happenings.filter((happening) => happening.at !== at) })),
    ),
  ]
}
