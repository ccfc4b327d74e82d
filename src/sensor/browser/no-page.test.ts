import { expect, test } from 'vitest'
import { noPageDocument } from './no-page.ts'

test('an address and a reason are shown as they are written, never as a page of their own', () => {
  const shown = noPageDocument('http://a.test/?q=<script>x</script>', { message: 'a & <b> may not be checked' })
  expect(shown).toContain('http://a.test/?q=&lt;script&gt;x&lt;/script&gt;')
  expect(shown).toContain('a &amp; &lt;b&gt; may not be checked')
  expect(noPageDocument(`http://a.test/${'x'.repeat(100_000)}`, { message: '' }).length).toBeLessThan(3000)
})
