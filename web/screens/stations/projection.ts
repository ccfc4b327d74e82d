/** Equal Earth (Šavrič, Patterson, Jenny 2018): areas keep their proportions. */
const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796]
const m = Math.sqrt(3) / 2

export interface Point {
  readonly x: number
  readonly y: number
}

/** Units of the map from the centre to its right edge, at the equator. */
export const halfWidth = 2000
const radiansPerDegree = Math.PI / 180
const scale = halfWidth / (Math.PI / (m * a1))

/** Degrees to the units of the map: x to the right, y down, zero in the middle. */
export function project(latitude: number, longitude: number): Point {
  const theta = Math.asin(m * Math.sin(latitude * radiansPerDegree))
  const square = theta * theta
  const sixth = square * square * square
  const slope = a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square)
  const x = (longitude * radiansPerDegree * Math.cos(theta)) / (m * slope)
  const y = theta * (a1 + a2 * square + sixth * (a3 + a4 * square))
  return { x: x * scale, y: -y * scale }
}
