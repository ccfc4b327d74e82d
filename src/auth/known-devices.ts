import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { networkOf } from '../domain/access/network.ts'
import { digestOf } from './tokens.ts'

/** The networks from which a username has logged in within the last 30 days, in the database of all processes. */
export interface KnownDevices {
  isKnown(username: string, ipAddress: string, now: number): Promise<boolean>
  /** Records the network of a successful login. */
  note(username: string, ipAddress: string, now: number): Promise<void>
}

const dayMs = 86_400_000
const knownForMs = 30 * dayMs
/** Each login removes at most this many expired entries. */
const sweptAtOnce = 4

/** Names are folded as in login-limit.ts. */
export function deviceOf(username: string, ipAddress: string): string {
  return `device ${networkOf(ipAddress)} ${username.toLowerCase().slice(0, 64)}`
}

export function knownDevicesIn(database: Database): KnownDevices {
  return {
    async isKnown(username, ipAddress, now) {
      const [found] = await database.query(sql`
        select 1 from known_devices
        where device = ${digestOf(deviceOf(username, ipAddress))} and seen_at > ${new Date(now - knownForMs)}`)
      return found !== undefined
    },
    async note(username, ipAddress, now) {
      const written = await database.execute(sql`
        insert into known_devices as known (device, seen_at)
        values (${digestOf(deviceOf(username, ipAddress))}, ${new Date(now)})
        on conflict (device) do update set seen_at = excluded.seen_at
        where known.seen_at not between ${new Date(now - dayMs)} and ${new Date(now)}`)
      if (written === 0) return
      await database.execute(sql`
        delete from known_devices where device in (
          select device from known_devices where seen_at <= ${new Date(now - knownForMs)}
          limit ${sweptAtOnce} for update skip locked)`)
    },
  }
}
