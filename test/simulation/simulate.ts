import sql from 'sql-template-tag'
import { type Disagreement, disagreements } from './compare.ts'
import { levelDisagreements } from './compare-levels.ts'
import { viewDisagreements } from './compare-views.ts'
import { type LocalTime, localTime } from './model/calendar.ts'
import { type Life, liveThrough } from './model/life.ts'
import { livesOf } from './observe.ts'
import { perform } from './perform.ts'
import { type ScenarioOptions, writeScript } from './scenario.ts'
import type { Script } from './script.ts'
import { openStage } from './stage.ts'

export interface Outcome {
  readonly script: Script
  readonly disagreements: readonly Disagreement[]
  readonly figures: Figures
}

/** How much there was to agree on. */
export interface Figures {
  readonly rounds: number
  readonly changes: number
  readonly notices: number
  /** Days and parts of status pages, bars, charts and reports. */
  readonly viewParts: number
  /** Days of status pages that a correction changed within a minute. */
  readonly correctedDays: number
  readonly seconds: number
}

/** Makes a story, runs it through the program and the model, and compares. `cut` may shorten the story. */
export async function simulate(options: ScenarioOptions, cut = (script: Script): Script => script): Promise<Outcome> {
  const begunAt = performance.now()
  const stage = await openStage(options.from)
  try {
    const script = cut(writeScript(stage.ground, options))
    const expected = expectedOf(script)
    await perform(stage, script)
    const seen = await livesOf(stage)
    const apart = disagreements(script, expected, seen)
    const levelsApart = apart.length > 0 ? [] : await levelDisagreements(stage, script, expected)
    const isSound = apart.length + levelsApart.length === 0
    const views = isSound ? await viewDisagreements(stage, script, expected) : { found: [], parts: 0, corrected: 0 }
    const [counted] = await stage.database.query<{ rounds: number }>(sql`
      select (select count(*) from analyses_hot) + (select coalesce(sum(analyses), 0) from packed_days
        where day not in (select distinct analysis_id / 100 / 86400000 from analyses_hot)) as rounds`)
    const lives = [...seen.values()]
    const figures = {
      rounds: counted?.rounds ?? 0,
      changes: lives.reduce((sum, { changes }) => sum + changes.length, 0),
      notices: lives.reduce((sum, { notices }) => sum + notices.length, 0),
      viewParts: views.parts,
      correctedDays: views.corrected,
      seconds: Math.round((performance.now() - begunAt) / 1000),
    }
    return { script, disagreements: [...apart, ...levelsApart, ...views.found], figures }
  } finally {
    await stage.close()
  }
}

function expectedOf(script: Script): ReadonlyMap<number, Life> {
  const known = new Map<string, LocalTime>()
  const localTimeOf = (zoneId: string) => {
    const time = known.get(zoneId) ?? localTime(zoneId, script)
    known.set(zoneId, time)
    return time
  }
  return new Map(script.services.map((service) => [service.id, liveThrough(script, service, localTimeOf)]))
}
