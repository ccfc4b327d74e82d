import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proposedSlug } from './slug.ts'

/** As the API has it. */
const slugPattern = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/

test.each([
  ['Our shop', 'our-shop'],
  ['Sklep Łódź – żagle & wiatr!', 'sklep-lodz-zagle-wiatr'],
  ['  100 % up ', '100-up'],
  ['Straße', 'strasse'],
  ['日本', ''],
  ['', ''],
])('%s is proposed as %s', (title, slug) => {
  expect(proposedSlug(title)).toBe(slug)
})

test('every proposal is an address that the API takes, or empty', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 30 })), (title) => {
      const slug = proposedSlug(title)
      expect(slug === '' || slugPattern.test(slug)).toBe(true)
    }),
  )
})
