import fc from 'fast-check'
import type { Element } from 'ltx'
import { expect, test } from 'vitest'
import { reader } from './reader.ts'

const texts = ['Zażółć 😀 &amp; ]]>', '<![CDATA[a > ]] <b> ]]>', '', `${'x'.repeat(300)}]`]
const stream = Buffer.from(
  `<?xml version='1.0'?><stream:stream xmlns='jabber:client'>${texts
    .map((text, at) => `<message id="a>${at}'"><!-- > -- --><body>${text}</body></message>\n`)
    .join('')}`,
)
const heardOf = (element: Element) => [element.attrs['id'], element.getChildText('body')]

test('a stream says the same, however it is cut', () => {
  const cuts = fc.array(fc.nat(stream.length), { maxLength: 400 })
  const wanted = ['Zażółć 😀 & ]]>', 'a > ]] <b> ', '', `${'x'.repeat(300)}]`].map((text, at) => [`a>${at}'`, text])
  const sayInParts = (at: readonly number[]) => {
    const heard: unknown[] = []
    const read = reader(
      (element) => heard.push(heardOf(element)),
      (reason) => heard.push(reason),
    )
    const bounds = [0, ...at, stream.length].sort((one, other) => one - other)
    bounds.forEach((from, index) => void read(stream.subarray(from, bounds[index + 1])))
    expect(heard).toEqual(wanted)
  }
  fc.assert(fc.property(cuts, sayInParts), { numRuns: 200 })
  sayInParts([...stream.keys()])
  for (const at of stream.keys()) sayInParts([at])
})
