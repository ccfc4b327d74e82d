import type { Executor } from '../database/connect.ts'
import { readSensors, type SensorRow } from '../database/services/sensors.ts'
import type { SensorFacts } from '../domain/judging/analysis.ts'
import type { Stations } from '../sensor/protocol.ts'

/** The known sensors in the form that rules and notices need. Connections are checked at every look. */
export class SensorDirectory {
  readonly #stations: Stations
  #rows: ReadonlyMap<number, SensorRow> = new Map()
  #facts: ReadonlyMap<number, SensorFacts> = new Map()
  #isKnown = false

  constructor(stations: Stations) {
    this.#stations = stations
  }

  async refresh(executor: Executor): Promise<void> {
    const rows = await readSensors(executor)
    this.#rows = new Map(rows.map((row) => [row.id, row]))
    this.#facts = new Map(rows.map((row) => [row.id, liveFacts(row, this.#stations)]))
    this.#isKnown = true
  }

  /** Sensors were read at least once. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get facts(): ReadonlyMap<number, SensorFacts> {
    return this.#facts
  }

  rowOf(sensorId: number): SensorRow | undefined {
    return this.#rows.get(sensorId)
  }

  /** As they were last read. */
  rows(): SensorRow[] {
    return [...this.#rows.values()]
  }

  connectedIds(): number[] {
    return [...this.#rows.keys()].filter((id) => this.#stations.isConnected(id))
  }
}

function liveFacts(row: SensorRow, stations: Stations): SensorFacts {
  return {
    id: row.id,
    country: row.country,
    categoryIds: row.category_ids,
    get isAvailable() {
      return stations.isConnected(row.id)
    },
  }
}
