/** Colors that can be read (WCAG 2.2, contrast ratio). */

type Rgb = readonly [number, number, number]

function rgbOf(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return [red, green, blue]
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21. Colors as `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const steps = 50

/** The color, moved towards black or white until it has the ratio to the ground. */
export function readableOn(ground: string, color: string, ratio = 4.5): string {
  const end: Rgb = contrast(ground, '#ffffff') > contrast(ground, '#000000') ? [255, 255, 255] : [0, 0, 0]
  const start = rgbOf(color)
  for (let step = 0; step <= steps; step++) {
    const mixed = start.map((part, index) => part + (((end[index] ?? 0) - part) * step) / steps)
    const [red = 0, green = 0, blue = 0] = mixed
    const tried = hexOf([red, green, blue])
    if (contrast(ground, tried) >= ratio) return tried
  }
  return hexOf(end)
}
