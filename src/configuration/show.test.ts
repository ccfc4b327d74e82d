import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlOf } from './show.ts'

/** Texts that readers of YAML 1.1 take for numbers, truth values or moments where they stand bare. */
const texts = [
  ...['20:00', '190:20:30', '0777', '0b11', '1_000', '1e3', '.5', '+1', '0x1F'],
  ...['on', 'Off', 'yes', 'NO', 'y', 'n', 'true', 'null', '~'],
  ...['2026-11-29', '2026-11-29T10:00:00Z', '2001-12-14 21:59:43.10 -5'],
]

test.each(texts)('%s is the same text to readers of YAML 1.1 and 1.2, as a value and as a key', (text) => {
  const value = { at: text, list: [text], [text]: 'key' }
  const yaml = yamlOf(value, ' Texts')
  for (const version of ['1.1', '1.2'] as const) expect([version, parse(yaml, { version })]).toEqual([version, value])
})
