/** Log lines for people at a terminal; programs get JSON. */

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/**
 * Control characters, and those that reverse the reading direction, would let a stranger write on the operator's
 * terminal.
 */
const harmful = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function harmless(text: string): string {
  return text.replaceAll(harmful, '�')
}

/** A JSON line with the same value: JSON itself escapes only some of the characters that a terminal obeys. */
export function harmlessJson(line: string): string {
  return line.replaceAll(harmful, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? text : JSON.stringify(value)
}

function stackOf(error: unknown): string {
  const { stack, message } = (error ?? {}) as { stack?: unknown; message?: unknown }
  const text = typeof stack === 'string' ? stack : typeof message === 'string' ? message : shown(error)
  return `\n${text.replaceAll(/^/gm, '    ')}`
}

/** One JSON line as `13:05:07.123 warn  message  name=value`, with the stack of an error below. Times are in UTC. */
export function textOfLine(line: string): string {
  const { level, time, msg, pid: _pid, err, ...facts } = JSON.parse(line) as Record<string, unknown>
  const at = new Date(Number(time)).toISOString().slice(11, 23)
  const pairs = Object.entries(facts).map(([name, value]) => `  ${name}=${shown(value)}`)
  const head =
    `${at} ${(levels[Number(level)] ?? String(level)).padEnd(5)} ${String(msg ?? '')}${pairs.join('')}`.replaceAll(
      '\n',
      ' ',
    )
  return `${harmless(head + (err === undefined ? '' : stackOf(err)))}\n`
}
