import { visible } from '../domain/text/one-line.ts'

/** A text cut to at most `longest` characters in total, with nothing but text and line breaks. */
export function cutText(text: string, longest: number): string {
  const characters = [...printable(text)]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** The same for a destination that counts bytes of UTF-8. */
export function cutBytes(text: string, longest: number): string {
  const whole = Buffer.from(printable(text))
  if (whole.length <= longest) return whole.toString()
  const room = longest - Buffer.byteLength('…')
  // A character that was cut in two is removed.
  return `${whole.toString('utf8', 0, room).replace(/\ufffd+$/, '')}…`
}

/** The same if the written form is longer than the text: at most `longest` characters are written. */
export function cutEscaped(text: string, longest: number, write: (text: string) => string): string {
  let room = longest
  while (true) {
    const escaped = write(cutText(text, room))
    if (escaped.length <= longest) return escaped
    room = Math.min(room - 1, Math.floor((room * longest) / escaped.length))
  }
}

function printable(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => visible(line).trimEnd())
  return lines.join('\n').trim()
}
