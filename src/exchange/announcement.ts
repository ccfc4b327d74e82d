import { exchangeProtocol } from './frames.ts'

/** A sensor whose station is at a process. */
export interface HeldSensor {
  readonly id: number
  /** Of its connection, greater than those of earlier ones wherever they were; 0 for a station on the process's own machine. */
  readonly connectionNo: number
  /** So much earlier than its start a job has to be handed over. */
  readonly leadMs: number
}

/** What a process says of itself. */
export interface Announcement {
  /** Grows with each change: a slower carrier may bring an older announcement after a newer one. */
  readonly revision: number
  readonly roles: readonly string[]
  /** It stops: what it has under way it finishes, more it does not take. */
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
    ...{ protocol: exchangeProtocol, revision, roles, leaving: isLeaving },
    sensors: sensors.map(({ id, connectionNo, leadMs }) => [id, connectionNo, leadMs]),
  }
  return JSON.stringify(sent)
}

/** Null for one of a process with which there is no talking: it speaks another protocol. */
export function decodeAnnouncement(text: string): Announcement | null {
  const { protocol, revision, roles, leaving, sensors } = JSON.parse(text) as Sent
  if (protocol !== exchangeProtocol) return null
  return {
    ...{ revision, roles, isLeaving: leaving },
    sensors: sensors.map(([id, connectionNo, leadMs]) => ({ id, connectionNo, leadMs })),
  }
}
