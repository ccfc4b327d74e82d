import type { Problem } from '../input/problem.ts'

/** Degrees of WGS 84. */
export const coordinateBounds = {
  latitude: { minimum: -90, maximum: 90 },
  longitude: { minimum: -180, maximum: 180 },
} as const

export type CoordinateName = keyof typeof coordinateBounds

/** A position; null means unknown. */
export interface Coordinates {
  readonly latitude: number | null
  readonly longitude: number | null
}

export const coordinateNames = ['latitude', 'longitude'] as const satisfies readonly CoordinateName[]

export const nowhere: Coordinates = { latitude: null, longitude: null }

/** A place has both numbers or neither. */
export function coordinateProblems({ latitude, longitude }: Coordinates): readonly Problem[] {
  if ((latitude === null) === (longitude === null)) return []
  const name: CoordinateName = latitude === null ? 'latitude' : 'longitude'
  return [{ error: 'missing_value', field: `data.${name}`, facts: { name } }]
}
