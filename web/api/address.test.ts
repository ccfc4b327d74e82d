import { expect, test } from 'vitest'
import type { Address, Collection, DictionaryName, Query } from './address.ts'

test('the compiler knows the addresses of the document, and refuses others', () => {
  const id = 7
  const known: readonly Address[] = ['/services', '/services?limit=1', `/services/${id}/permissions?fields=update`]
  const changed: Address<'PUT'> = `/services/${id}`
  const made: Address<'POST'> = `/services/${id}/force_analysis`
  const asked: Query = `/services?group_id=${id}`
  const [lists, names]: [Collection, DictionaryName] = ['/contacts', 'languages']
  // @ts-expect-error a list that there is not
  const unknownList: Address = '/servces'
  // @ts-expect-error this path has no PUT
  const otherMethod: Address<'PUT'> = '/services'
  // @ts-expect-error nothing can be added by `&`
  const unasked: Query = '/services'
  // @ts-expect-error no dictionary
  const noDictionary: DictionaryName = 'colours'
  const all = [...known, changed, made, asked, lists, names, unknownList, otherMethod, unasked, noDictionary]
  expect(all.every((one) => typeof one === 'string')).toBe(true)
})
