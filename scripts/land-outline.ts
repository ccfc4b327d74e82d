// Writes web/screens/stations/land-outline.ts, the land on the map of stations, from the data of Natural Earth; --check
// only compares.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import { keepGenerated } from './generated.ts'

type Place = readonly [longitude: number, latitude: number]
type Ring = readonly Place[]

type Topology = Parameters<typeof feature>[0]

interface Land {
  readonly features: readonly { readonly geometry: { readonly coordinates: readonly (readonly Ring[])[] } }[]
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Tenths of a degree of the equator. */
const tolerance = 0.8
const smallestArea = 5
const unitsPerDegree = 10

/**
 * The digits that web/screens/stations/outline.ts reads: a number takes one or more, and those of the second half
 * continue.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const half = digits.length / 2

function numberText(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  let text = ''
  while (rest >= half) {
    text += digits[half + (rest % half)]
    rest = Math.floor(rest / half)
  }
  return text + digits[rest]
}

/** A closed line of longitudes and latitudes, as steps from point to point. */
function lineText(line: readonly Point[]): string {
  let [x, y] = [0, 0]
  return line
    .map((point) => {
      const text = numberText(point.x - x) + numberText(point.y - y)
      ;[x, y] = [point.x, point.y]
      return text
    })
    .join('')
}

/** Distances and areas are those of the globe, nearly: a degree of longitude shrinks to the poles. */
const shrunk = ([longitude, latitude]: Place): Point => ({
  x: longitude * unitsPerDegree * Math.cos((latitude * Math.PI) / 180),
  y: latitude * unitsPerDegree,
})

/**
 * Lines across the date line in one piece, with longitudes beyond 180; one around a pole ends at the edges of the map.
 */
function unwound(ring: Ring): Ring {
  let turn = 0
  const line = ring.map(([longitude, latitude], index): Place => {
    const before = ring[index - 1]?.[0] ?? longitude
    if (longitude - before > 180) turn -= 360
    if (before - longitude > 180) turn += 360
    return [longitude + turn, latitude]
  })
  const [first, last] = [line[0], line.at(-1)]
  if (turn === 0 || first === undefined || last === undefined) return line
  const pole = first[1] < 0 ? -90 : 90
  return [...line, [last[0], pole], [first[0], pole]]
}

/** The part of a line on one side of a meridian. */
function clipped(ring: Ring, limit: number, isInside: (longitude: number) => boolean): Ring {
  return ring.flatMap(([longitude, latitude], index): Place[] => {
    const [x, y] = ring[index === 0 ? ring.length - 1 : index - 1] ?? [longitude, latitude]
    const crossing: Place[] =
      isInside(x) === isInside(longitude) ? [] : [[limit, y + ((latitude - y) * (limit - x)) / (longitude - x)]]
    return isInside(longitude) ? [...crossing, [longitude, latitude]] : crossing
  })
}

/** A line that goes over the date line is two, each on its side of the map. */
function pieces(ring: Ring): readonly Ring[] {
  const line = unwound(ring)
  return [-360, 0, 360]
    .map((turn) => line.map(([longitude, latitude]): Place => [longitude + turn, latitude]))
    .map((moved) =>
      clipped(
        clipped(moved, 180, (x) => x <= 180),
        -180,
        (x) => x >= -180,
      ),
    )
    .filter((piece) => piece.length > 2)
}

function distance(place: Place, first: Place, last: Place): number {
  const [{ x, y }, from, to] = [shrunk(place), shrunk(first), shrunk(last)]
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length))
  return Math.hypot(x - from.x - part * dx, y - from.y - part * dy)
}

/** The line without the points that it hardly needs (Ramer, Douglas, Peucker). */
function simplified(line: Ring): Ring {
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined || line.length < 3) return line
  const distances = line.map((point) => distance(point, first, last))
  const farthest = distances.reduce((best, far, index) => (far > (distances[best] ?? 0) ? index : best), 0)
  if ((distances[farthest] ?? 0) <= tolerance) return [first, last]
  return [...simplified(line.slice(0, farthest + 1)).slice(0, -1), ...simplified(line.slice(farthest))]
}

function areaOf(ring: Ring): number {
  const line = ring.map(shrunk)
  const twice = line.reduce((sum, { x, y }, index) => {
    const next = line[(index + 1) % line.length] ?? { x, y }
    return sum + x * next.y - next.x * y
  }, 0)
  return Math.abs(twice) / 2
}

const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json')
const data = JSON.parse(readFileSync(file, 'utf8')) as Topology
const { features } = feature(data, data.objects['land'] as NonNullable<Topology['objects']['land']>) as object as Land
const rings = features.flatMap(({ geometry }) => geometry.coordinates.flat())
const lines = rings
  .flatMap(pieces)
  .filter((line) => areaOf(line) >= smallestArea)
  .map(simplified)
  .map((line) => line.map(([x, y]) => ({ x: Math.round(x * unitsPerDegree), y: Math.round(y * unitsPerDegree) })))
  .map((line) => line.filter(({ x, y }, index) => index === 0 || x !== line[index - 1]?.x || y !== line[index - 1]?.y))
  .filter((line) => line.length > 2)
const text = `// Generated by npm run docs, from the public domain data of Natural Earth.
// biome-ignore format: one text
export const landOutline =
  '${lines.map(lineText).join(' ')}'
`
keepGenerated('../web/screens/stations/land-outline.ts', text, 'npm run docs')
