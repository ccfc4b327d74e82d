import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { find } from './find.ts'

const search = new MiniSearch({
  idField: 'address',
  fields: ['page', 'heading', 'text'],
  storeFields: ['isLater'],
})
search.addAll([
  { address: 'api', page: 'things_list', heading: 'GET /things_list things list', text: 'things', isLater: true },
  { address: 'guide', page: 'Guide', heading: 'First steps', text: 'Make a list of things.', isLater: false },
])
const found = (query: string) => find([{ language: 'en', search }], query, 1).map(({ id }) => id)

test('the guide stands before an operation that fits better, within the length of the list', () => {
  expect(search.search('things').map(({ id }) => id)[0]).toBe('api')
  expect(found('things list')).toEqual(['guide'])
})

test.each(['things_list', 'GET /things'])('%s is a name of the API, so the best fit is the first', (query) => {
  expect(found(query)).toEqual(['api'])
})
