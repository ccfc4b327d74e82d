import { needsBrowser } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { goodScreenshotOf, pictureDayOf } from '../domain/judging/good-screenshot.ts'
import { hasGoodScreenshot, keepGoodScreenshot } from '../history/good-screenshots.ts'
import type { RoundTarget } from '../service-state/claims.ts'
import type { Analysis } from './analysis.ts'
import type { Log } from './outage.ts'

type Pictured = Pick<RoundTarget, 'id' | 'type_id'>

/**
 * Stores one picture of a good page per service and UTC day. A picture never delays a round: without the database there
 * is none.
 */
export class GoodScreenshots {
  readonly #database: Executor
  readonly #log: Log
  /** Services that have the picture of the day. */
  readonly #kept = new Set<string>()
  #day = ''

  constructor(database: Executor, log: Log) {
    this.#database = database
    this.#log = log
  }

  /** Whether a station is to take a picture in a round of that moment. */
  async isWanted({ id: serviceId, type_id: typeId }: Pictured, at: number): Promise<boolean> {
    if (!needsBrowser(typeId)) return false
    const day = this.#dayOf(at)
    const name = `${serviceId} ${typeId}`
    if (this.#kept.has(name)) return false
    try {
      if (!(await hasGoodScreenshot(this.#database, { serviceId, typeId, day }))) return true
      this.#note(day, name)
    } catch (error) {
      this.#log.warn({ err: error, service_id: serviceId }, 'Could not find out whether a good screenshot is wanted')
    }
    return false
  }

  async keep({ id: serviceId, type_id: typeId }: Pictured, analysis: Analysis): Promise<void> {
    const found = needsBrowser(typeId) ? goodScreenshotOf(analysis.verdict, analysis.checks) : null
    if (found === null) return
    const { analysisId, decidedAt: takenAt } = analysis
    const day = this.#dayOf(takenAt)
    const row = { serviceId, typeId, analysisId, takenAt, sensorId: found.sensorId, picture: found.bytes }
    try {
      await keepGoodScreenshot(this.#database, row)
      this.#note(day, `${serviceId} ${typeId}`)
    } catch (error) {
      this.#log.warn({ err: error, service_id: serviceId }, 'A good screenshot could not be kept')
    }
  }

  /** The picture of a round that ends after midnight is of its new day. */
  #dayOf(at: number): string {
    const day = pictureDayOf(at)
    if (day !== this.#day) this.#kept.clear()
    this.#day = day
    return day
  }

  #note(day: string, name: string): void {
    if (day === this.#day) this.#kept.add(name)
  }
}
