import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { Chance } from './chance.ts'
import type { Door } from './writers.ts'

/** Asks for analyses of stopped services, which are analysed for no other reason. */
export interface Asker {
  stop(): Promise<void>
  /** Checks the requests: each acknowledged one was followed by an analysis, none by two. */
  audit(database: Database): Promise<string[]>
}

interface Asked {
  tries: number
  /** Just before the last request that was acknowledged. Unix milliseconds. */
  lastAt: number
}

export function startAsker(victim: Door, serviceIds: readonly number[], chance: Chance): Asker {
  const asked = new Map(serviceIds.map((id) => [id, { tries: 0, lastAt: 0 } satisfies Asked as Asked]))
  let isOn = true

  async function work(): Promise<void> {
    while (isOn) {
      for (const [id, known] of asked) if (victim.isReady()) await ask(id, known)
      await delay(chance.between(50, 500))
    }
  }
  async function ask(id: number, known: Asked): Promise<void> {
    const at = Date.now()
    known.tries += 1
    const reply = await victim.call('POST', `/services/${id}/force_analysis`)
    if (reply?.status === 204) known.lastAt = at
  }

  const working = work()
  return {
    async stop() {
      isOn = false
      await working
    },
    async audit(database) {
      const rows = await database.query<{ service_id: number; analyses: number; last_at: number }>(sql`
        select service_id, count(*) as analyses, max(analysis_id / 100) as last_at from analyses_hot
        where service_id = any(${serviceIds}::int[]) group by service_id`)
      return [...asked].flatMap(([id, { tries, lastAt }]) => {
        const row = rows.find((one) => one.service_id === id)
        const isRight = row === undefined ? lastAt === 0 : row.last_at >= lastAt && row.analyses <= tries
        return isRight ? [] : [`service ${id}: asked ${tries} times until ${lastAt}, but ${JSON.stringify(row)}`]
      })
    },
  }
}
