import { expect, expectTypeOf, test } from 'vitest'
import type { AnswerAt, Known, RowAt } from '../../client/client.ts'
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

declare function answerAt<const A extends string>(address: A & Known<'GET', A>): AnswerAt<'GET', A>

test('the type of an answer follows from its address: path, fields, embed', () => {
  const [id, conditions] = [Number('7'), String('tags=web')]
  const typed = () => {
    const service = answerAt(`/services/${id}?embed=group.name,permissions`)
    expectTypeOf(service.name).toEqualTypeOf<string>()
    expectTypeOf(service.group).toEqualTypeOf<{ name: string } | null>()
    expectTypeOf(service.permissions.update).toEqualTypeOf<boolean>()
    const listed = answerAt(`/services?${conditions}&fields=id,name&limit=100`)
    expectTypeOf(listed).toEqualTypeOf<{ readonly id: number; name: string }[]>()
    // A word at the place of a number.
    expectTypeOf(answerAt('/accounts/my_account').username).toEqualTypeOf<string>()
    expectTypeOf(answerAt('/services/history_bars?id=1&days=30')).toEqualTypeOf<RowAt<'/services/history_bars'>[]>()
    // Fields that only the run knows may all be missing.
    expectTypeOf(answerAt(`/services/${id}?fields=${conditions}`).name).toEqualTypeOf<string | undefined>()
    // @ts-expect-error a list that there is not
    answerAt('/servces')
    // @ts-expect-error this path has no GET
    answerAt(`/services/${id}/force_analysis`)
    // @ts-expect-error a field that was not asked for
    return answerAt(`/services/${id}?fields=id`).name
  }
  expect(typed).toBeTypeOf('function')
})
