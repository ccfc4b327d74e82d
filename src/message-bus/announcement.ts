import * as z from 'zod'
import { longest } from '../sensor/bounds.ts'
import { messageBusProtocol } from './frames.ts'

const mostRoles = 100

/** A sensor whose station is connected to a process. */
export interface HeldSensor {
  readonly id: number
  /**
   * The number of its connection. A later connection has a greater number, at whatever process; 0 for a station on the
   * process's own machine.
   */
  readonly connectionNo: number
  /** How many milliseconds before its start a job has to be handed over. */
  readonly leadMs: number
}

/** A process's description of itself. */
export interface Announcement {
  /** Grows with each change, because a slower carrier may deliver an older announcement after a newer one. */
  readonly revision: number
  readonly roles: readonly string[]
  /** The process is stopping: it finishes its current jobs and takes no new ones. */
  readonly isLeaving: boolean
  readonly sensors: readonly HeldSensor[]
}

interface Sent {
  readonly protocol: number
  readonly revision: number
  readonly roles: readonly string[]
  readonly leaving: boolean
  readonly sensors: readonly (readonly [id: number, connectionNo: number, leadMs: number])[]
}

export function encodeAnnouncement({ revision, roles, isLeaving, sensors }: Announcement): string {
  const sent: Sent = {
    ...{ protocol: messageBusProtocol, revision, roles, leaving: isLeaving },
    sensors: sensors.map(({ id, connectionNo, leadMs }) => [id, connectionNo, leadMs]),
  }
  return JSON.stringify(sent)
}

const protocolOf = z.object({ protocol: z.int() })
const count = z.int().min(0)
const said = z.object({
  revision: count,
  roles: z.array(z.string().max(longest.id)).max(mostRoles),
  leaving: z.boolean(),
  sensors: z.array(z.tuple([count, count, z.number().min(0)])),
})

/**
 * Null for a process with another protocol version, which cannot be understood. Throws if the text is no announcement.
 */
export function decodeAnnouncement(text: string): Announcement | null {
  const given: unknown = JSON.parse(text)
  if (protocolOf.parse(given).protocol !== messageBusProtocol) return null
  const { revision, roles, leaving, sensors } = said.parse(given)
  return {
    ...{ revision, roles, isLeaving: leaving },
    sensors: sensors.map(([id, connectionNo, leadMs]) => ({ id, connectionNo, leadMs })),
  }
}
