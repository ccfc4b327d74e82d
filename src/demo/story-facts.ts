/** The facts with which the month's people act, and the ids of everything they made. */
import type { Login, People, Person } from './people.ts'
import type { DemoService, GroupKey, TargetPorts } from './watched.ts'

export interface StoryFacts {
  readonly people: People
  readonly logins: Readonly<Record<Person, Login>>
  readonly services: readonly DemoService[]
  readonly places: TargetPorts
  /** In the order of their places. */
  readonly sensorIds: readonly number[]
  readonly categories: readonly string[]
  readonly toAt: number
}

/** The ids of everything that was made. */
export interface Made {
  readonly groupIds: Readonly<Record<GroupKey, number>>
  readonly serviceIds: ReadonlyMap<string, number>
  readonly agencyId: number
}
