import type { Typeface } from './typeface.ts'

type Measured = Pick<Typeface, 'widthOf'>

/** The setting of a text: its typeface, its size and the width of a line, in points. */
export interface Measure {
  readonly face: Measured
  readonly size: number
  readonly width: number
}

/** The text in lines that fit. A word too long for any line is broken; line breaks in the text stay. */
export function wrapped(text: string, measure: Measure): string[] {
  return text.split(/\r?\n/).flatMap((paragraph) => wrappedParagraph(paragraph, measure))
}

function wrappedParagraph(paragraph: string, measure: Measure): string[] {
  const { face, size, width } = measure
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.split(/[ \t]+/).flatMap((word) => broken(word, measure))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || face.widthOf(longer, size) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

function broken(word: string, { face, size, width }: Measure): string[] {
  if (face.widthOf(word, size) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const letter of word) {
    if (part !== '' && face.widthOf(part + letter, size) > width) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part]
}

/** The text in one line, with `…` in place of the part that does not fit. */
export function fitted(text: string, { face, size, width }: Measure): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (face.widthOf(line, size) <= width) return line
  const letters = [...line]
  while (letters.length > 0 && face.widthOf(`${letters.join('').trimEnd()}…`, size) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
