import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pageText } from './page-text.ts'

function stored(bytes: string | Buffer) {
  const content = Buffer.from(bytes)
  const ranges: { readonly start: number; readonly end: number }[] = []
  const open = async (range: { readonly start: number; readonly end: number }) => {
    ranges.push(range)
    return Readable.from([content.subarray(range.start, range.end)])
  }
  return { ranges, content: { size: content.length, digest: '', open } }
}

const read = (bytes: string | Buffer, type = 'text/html; charset=utf-8') => pageText(stored(bytes).content, type)

test.each([
  ['<p>Out of <b>order</b></p>', 'Out of order'],
  ['<script>if (a < b) call()</script>Down', 'Down'],
  ['<STYLE>p{}</STYLE ><!-- <p>hidden</p> -->Down &amp; out &#8212; &lt;b&gt; &bad;', 'Down & out — <b> &bad;'],
  ['a <', 'a'],
  ['<script>never ends', ''],
  ['<!-- never ends', ''],
  ['', ''],
])('of %j a person sees %j', async (html, seen) => {
  expect(await read(html)).toBe(seen)
})

test('other texts stay as they are, in their encoding; bytes are none', async () => {
  expect(await read('{"a": "<b>"}', 'application/json')).toBe('{"a": "<b>"}')
  expect(await read(Buffer.from([0xbf]), 'text/plain; charset=iso-8859-2')).toBe('ż')
  expect(await read('x', 'text/plain; charset=nonsense')).toBe('x')
  expect(await read('x', 'image/png')).toBeNull()
  expect(await read('x', '')).toBeNull()
})

test('only the beginning of a large page is read', async () => {
  const { content, ranges } = stored('x'.repeat(1_000_000))
  expect(await pageText(content, 'text/plain')).toHaveLength(65_536)
  expect(ranges).toEqual([{ start: 0, end: 65_536 }])
})

test.each(['<', '<!--', '<script', '<script>', '</', '&', '&#', '<a '])(
  'many times %j takes one pass',
  async (part) => {
    const page = part.repeat(65_536 / part.length)
    expect(typeof (await read(page))).toBe('string')
  },
)
