import { escapeHtml } from '../src/channels/markup.ts'
import type { Card } from './channel-cards.ts'

/** A message in a picture, and its occasion. */
export interface Pictured {
  readonly occasion: string
  readonly card: Card
}

const width = 640
const margin = 16
/** The left edge of the texts. */
const left = 84
const lineHeight = 18
const fontSize = 13
/** Characters of a monospaced line. */
const longestLine = 66
const mostLines = 16

const font = `font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}"`
const sans = `font-family="system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"`

function wrapped(line: string): readonly string[] {
  const rows: string[] = []
  let rest = line
  while (rest.length > longestLine) {
    const space = rest.lastIndexOf(' ', longestLine)
    const cut = space < longestLine / 2 ? longestLine : space
    rows.push(rest.slice(0, cut))
    rest = `  ${rest.slice(cut).trimStart()}`
  }
  return [...rows, rest]
}

function shownLines({ lines }: Card): readonly string[] {
  const rows = lines.flatMap(wrapped)
  return rows.length <= mostLines ? rows : [...rows.slice(0, mostLines - 1), '…']
}

function textElement(text: string, y: number, look: string): string {
  return `<text x="${left}" y="${y}" xml:space="preserve" ${look}>${escapeHtml(text)}</text>`
}

function buttonElements(buttons: readonly string[], top: number): readonly string[] {
  let x = left
  return buttons.flatMap((button) => {
    const wide = button.length * 7.5 + 24
    const at = x
    x += wide + 8
    return [
      `<rect x="${at}" y="${top}" width="${wide}" height="28" rx="6" fill="#fff" stroke="#8a94a6"/>`,
      `<text x="${at + wide / 2}" y="${top + 19}" text-anchor="middle" ${sans} font-size="13" fill="#1d4ed8">${escapeHtml(button)}</text>`,
    ]
  })
}

/** @param top of the message, in pixels from the upper edge */
function drawn(
  { occasion, card }: Pictured,
  top: number,
): { readonly elements: readonly string[]; readonly end: number } {
  const elements = [
    `<text x="${margin}" y="${top + 12}" ${sans} font-size="12" fill="#5b6474">${escapeHtml(occasion)}</text>`,
    `<circle cx="${margin + 20}" cy="${top + 44}" r="18" fill="#14532d"/>`,
    `<text x="${margin + 20}" y="${top + 50}" text-anchor="middle" ${sans} font-size="17" font-weight="700" fill="#fff">L</text>`,
    textElement('Latarnik', top + 40, `${sans} font-size="14" font-weight="700" fill="#111827"`),
  ]
  const first = top + 50
  let y = first + lineHeight
  for (const line of card.title === '' ? [] : wrapped(card.title)) {
    elements.push(textElement(line, y, `${font} font-weight="700" fill="#111827"`))
    y += lineHeight
  }
  for (const line of shownLines(card)) {
    if (line !== '') elements.push(textElement(line, y, `${font} fill="#1f2937"`))
    y += line === '' ? lineHeight / 2 : lineHeight
  }
  const bar =
    card.color === null
      ? []
      : [`<rect x="${left - 14}" y="${first + 4}" width="4" height="${y - first - 12}" fill="${card.color}"/>`]
  const buttons = buttonElements(card.buttons, y - 4)
  return { elements: [...elements, ...bar, ...buttons], end: y + (buttons.length === 0 ? 4 : 36) }
}

/** Messages of a channel, one below the other, as an SVG. */
export function pictureOf(title: string, messages: readonly Pictured[]): string {
  let top = margin
  const elements = messages.flatMap((message, index) => {
    const { elements: own, end } = drawn(message, top)
    const rule = `<path d="M${margin} ${end + 4}H${width - margin}" stroke="#e5e7eb"/>`
    top = end + 20
    return index === messages.length - 1 ? own : [...own, rule]
  })
  const height = Math.ceil(top)
  const label = messages.map(({ occasion, card }) => `${occasion}: ${card.title}`).join('. ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeHtml(title)}</title>`,
    `<desc>${escapeHtml(label)}</desc>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#fff" stroke="#cbd5e1"/>`,
    ...elements,
    '</svg>\n',
  ].join('\n')
}
