import { halfWidth, type Point } from './projection.ts'

/** The visible part of the map, in its units. */
export interface View {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Width to height. */
export const mapRatio = 8 / 5
const leastWidth = 420
/** The share of the view that is left free at each side of the stations. */
const margin = 0.22

export const worldView: View = {
  x: -halfWidth * 1.02,
  y: (-halfWidth * 1.02) / mapRatio,
  width: halfWidth * 2.04,
  height: (halfWidth * 2.04) / mapRatio,
}

/** The part of the map with all the places, and some of what is around them. */
export function viewOf(places: readonly Point[]): View {
  if (places.length === 0) return worldView
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const wanted = Math.max(right - left, (bottom - top) * mapRatio) / (1 - 2 * margin)
  const width = Math.min(worldView.width, Math.max(leastWidth, wanted))
  if (width === worldView.width) return worldView
  const height = width / mapRatio
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height }
}

const rounds = 80
/** Radians; points at the same place part in ever new directions. */
const goldenAngle = 2.399963

/** Moves points apart until no two are nearer than the gap, as far as the box has room. All in pixels. */
export function spread(
  at: readonly Point[],
  gap: number,
  box: { readonly width: number; readonly height: number },
): readonly Point[] {
  const within = (value: number, most: number) => Math.max(gap / 2, Math.min(most - gap / 2, value))
  const points = at.map(({ x, y }, index) => ({
    x: x + 0.01 * Math.cos(index * goldenAngle),
    y: y + 0.01 * Math.sin(index * goldenAngle),
  }))
  for (let round = 0; round < rounds; round += 1) {
    let isMoving = false
    for (const [index, one] of points.entries()) {
      for (const other of points.slice(index + 1)) {
        const [dx, dy] = [other.x - one.x, other.y - one.y]
        const apart = Math.hypot(dx, dy)
        if (apart >= gap) continue
        isMoving = true
        const push = (gap + 0.5 - apart) / 2 / apart
        one.x -= dx * push
        one.y -= dy * push
        other.x += dx * push
        other.y += dy * push
      }
    }
    for (const point of points) {
      point.x = within(point.x, box.width)
      point.y = within(point.y, box.height)
    }
    if (!isMoving) break
  }
  return points
}
