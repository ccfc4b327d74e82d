import type { Schemas, Sensor } from '../../api/answers.ts'
import type { IconName } from '../../parts/icon.tsx'

/** As everybody sees it; administrators see the version too. */
export type Station = Sensor & Partial<Pick<Schemas['admin_sensors'], 'version' | 'has_token'>>

export type StationState = 'seen' | 'older' | 'silent' | 'never'

export const stateIcons: Readonly<Record<StationState, IconName>> = {
  seen: 'ok',
  older: 'warning',
  silent: 'failure',
  never: 'unknown',
}

/** The newest version that a station has; empty where none says any. */
export function newestVersion(stations: readonly Station[]): string {
  const versions = stations.map(({ version }) => version ?? '')
  return versions.reduce((best, one) => (one.localeCompare(best, 'en', { numeric: true }) > 0 ? one : best), '')
}

export function stateOf(station: Station, newest: string): StationState {
  if (!station.is_available) return station.last_seen_at === null ? 'never' : 'silent'
  const { version = '' } = station
  return version !== '' && version !== newest ? 'older' : 'seen'
}

export const placeOf = ({ city, country }: Pick<Station, 'city' | 'country'>) =>
  [city, country].filter((part) => part !== '').join(', ')
