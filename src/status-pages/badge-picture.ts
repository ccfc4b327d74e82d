import { html } from '../wording/html.ts'

/** All of them carry white letters with a contrast of at least 4.5. */
export const badgeColors = { good: '#17784b', middling: '#a85a00', bad: '#b3261e', grey: '#52626d' } as const

export const badgeStyles = ['flat', 'flat-square', 'for-the-badge'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

export interface BadgeText {
  readonly label: string
  readonly text: string
  readonly color: string
}

/** Pixels. `letter`: of one, roughly; `textLength` makes the text fit exactly. */
const looks: Readonly<Record<BadgeStyle, Look>> = {
  flat: { height: 20, radius: 4, letter: 6.6, size: 11, padding: 6, isUpper: false },
  'flat-square': { height: 20, radius: 0, letter: 6.6, size: 11, padding: 6, isUpper: false },
  'for-the-badge': { height: 28, radius: 4, letter: 8.2, size: 11, padding: 10, isUpper: true },
}

interface Look {
  readonly height: number
  readonly radius: number
  readonly letter: number
  readonly size: number
  readonly padding: number
  readonly isUpper: boolean
}

export function badgePicture({ label, text, color }: BadgeText, style: BadgeStyle): string {
  const { height, radius, letter, size, padding, isUpper } = looks[style]
  const written = (one: string) => (isUpper ? one.toUpperCase() : one)
  const textWidth = (one: string) => Math.round([...one].length * letter)
  const [left, right] = [textWidth(label) + 2 * padding, textWidth(text) + 2 * padding]
  const baseline = height / 2 + 4
  const letters = html`font-size="${size}"`
  const bold = isUpper ? html` font-weight="bold"` : null
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${label}: ${text}"><title>${label}: ${text}</title><clipPath id="r"><rect width="${left + right}" height="${height}" rx="${radius}"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${height}" fill="#3a4750"/><rect x="${left}" width="${right}" height="${height}" fill="${color}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" ${letters}><text x="${left / 2}" y="${baseline}" textLength="${textWidth(label)}">${written(label)}</text><text x="${left + right / 2}" y="${baseline}" textLength="${textWidth(text)}"${bold}>${written(text)}</text></g></svg>`
    .markup
}
