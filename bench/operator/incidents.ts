/** Disturbances of the day at their minutes, and when each began and was over. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FarStation } from './far-station.ts'
import { restartDatabase } from './restart-database.ts'
import type { Course } from './script.ts'
import type { ServedProgram } from './served-program.ts'
import type { Settings } from './settings.ts'

/** Unix milliseconds. */
export interface Incident {
  readonly kind: 'far station killed' | 'database ended'
  readonly from: number
  /** From then on the core hears from the station again, or the database answers again. */
  readonly to: number
}

export interface Incidents {
  /** All of them, once they are over. */
  over(): Promise<readonly Incident[]>
}

interface Stage {
  readonly settings: Pick<Settings, 'far' | 'databaseEnd'>
  readonly program: ServedProgram
  readonly farStation: FarStation | null
  readonly course: Course
}

async function lasting(kind: Incident['kind'], work: () => Promise<unknown>): Promise<Incident> {
  const from = Date.now()
  await work()
  return { kind, from, to: Date.now() }
}

/** Plans them; call it when the measurement begins. */
export function startIncidents({ settings, program, farStation, course }: Stage): Incidents {
  const { far, databaseEnd } = settings
  const untilMinute = (minute: number) => pause(Math.max(0, course.startsAt + minute * 60_000 - Date.now()))
  const planned: Promise<Incident>[] = []
  if (far !== null && farStation !== null) {
    const killed = untilMinute(far.killedAfter).then(() =>
      lasting('far station killed', async () => {
        await farStation.kill()
        await untilMinute(far.backAfter)
        await farStation.start()
      }),
    )
    planned.push(killed)
  }
  if (databaseEnd !== null) {
    const { after, signal } = databaseEnd
    planned.push(untilMinute(after).then(() => lasting('database ended', () => restartDatabase(program, signal))))
  }
  const all = Promise.all(planned)
  // A failed one is told where they are awaited.
  all.catch(() => undefined)
  return { over: () => all }
}
