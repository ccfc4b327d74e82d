import { expect, test } from 'vitest'
import { html } from './html.ts'

test.each([
  ['<b title="a">&</b>', '&lt;b title=&quot;a&quot;&gt;&amp;&lt;/b&gt;'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['\u2066open', 'open'],
])('%j in a page or a mail stays what it is, and turns nothing around it', (value, markup) => {
  expect(html`<p title="${value}">${value} is down</p>`.markup).toBe(`<p title="${markup}">${markup} is down</p>`)
})
