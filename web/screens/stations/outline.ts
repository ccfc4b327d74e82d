import { landOutline } from './land-outline.ts'
import { project } from './projection.ts'

/** As scripts/land-outline.ts writes them: a number takes one digit or more, and those of the second half go on. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const half = digits.length / 2
const unitsPerDegree = 10

function numbersOf(text: string): readonly number[] {
  const numbers: number[] = []
  let [value, place] = [0, 1]
  for (const letter of text) {
    const digit = digits.indexOf(letter)
    value += (digit % half) * place
    place *= half
    if (digit >= half) continue
    numbers.push(value % 2 === 0 ? value / 2 : -(value + 1) / 2)
    ;[value, place] = [0, 1]
  }
  return numbers
}

function pointText(latitude: number, longitude: number): string {
  const { x, y } = project(latitude, longitude)
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

/** A closed line of an SVG path, from the steps between its points. */
function linePath(text: string): string {
  const steps = numbersOf(text)
  const points: string[] = []
  let [x, y] = [0, 0]
  for (let index = 0; index < steps.length; index += 2) {
    x += steps[index] ?? 0
    y += steps[index + 1] ?? 0
    points.push(pointText(y / unitsPerDegree, x / unitsPerDegree))
  }
  return `M${points.join('L')}Z`
}

export const landPath = landOutline.split(' ').map(linePath).join('')

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_none, index) => from + index * step)

const latitudes = range(-90, 90, 5)

/** The edge of the map. */
export const globePath = `M${[
  ...latitudes.map((latitude) => pointText(latitude, -180)),
  ...latitudes.toReversed().map((latitude) => pointText(latitude, 180)),
].join('L')}Z`

const gridDegrees = 15

/** Lines of the same latitude, which are straight, and of the same longitude. */
export const gridPath = [
  ...range(-75, 75, gridDegrees).map((latitude) => `M${pointText(latitude, -180)}L${pointText(latitude, 180)}`),
  ...range(-165, 165, gridDegrees).map(
    (longitude) => `M${latitudes.map((latitude) => pointText(latitude, longitude)).join('L')}`,
  ),
].join('')
