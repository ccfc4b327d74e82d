import { expect, expectTypeOf, test } from 'vitest'
import type { useEditing } from '../parts/use-editing.ts'
import type { callTo, change, sendChange, WrittenCall } from './calls.ts'

/** The compiler holds these: `tsc -p web` fails when a body is no longer checked. Nothing of it runs. */
declare const calls: {
  readonly callTo: typeof callTo
  readonly change: typeof change
  readonly sendChange: typeof sendChange
  readonly useEditing: typeof useEditing
}
const [id, isNew] = [Number('7'), String('x') === 'x']

test('a call takes the body of its operation, and nothing else', () => {
  const typed = () => {
    const { callTo: to, change: send, sendChange: sendAny } = calls
    expectTypeOf(to('POST', '/wallboards', { name: 'Hall' })).toExtend<WrittenCall>()
    expectTypeOf(send('POST', `/services/${id}/force_analysis`)).resolves.not.toBeUnknown()
    to('PUT', `/services/${id}`, isNew ? { is_active: true } : { name: 'Shop', interval: 60 })
    // Words as texts, numbers as they were typed, settings by the names of their formats.
    to('POST', '/services', { name: 'Shop', type_id: String('https'), address: 'a', interval: '5 minutes' })
    to('PUT', `/services/${id}`, { extended_settings: { [String('port')]: 8 } })
    // @ts-expect-error a member that the operation does not know
    to('PUT', `/services/${id}`, { nmae: 'Shop' })
    // @ts-expect-error the same in an object that was made before
    to('PUT', `/services/${id}`, Object.assign({ name: 'Shop' }, { colour: 'red' }))
    // @ts-expect-error the same in one of two bodies
    to('PUT', `/services/${id}`, isNew ? { is_active: true } : { isActive: true })
    // @ts-expect-error the same below another member
    to('POST', '/escalations', { name: 'Night', steps: [{ delay_seconds: 0, repeat: 1 }] })
    // @ts-expect-error names that are known only at run time
    to('PUT', `/services/${id}`, { [String('name')]: 'Shop' })
    // @ts-expect-error a value of another kind
    to('PUT', `/services/${id}`, { is_active: 'yes' })
    // @ts-expect-error a member is missing
    to('POST', '/services', { name: 'Shop', type_id: 'https' })
    // @ts-expect-error the address has no such method
    to('POST', `/services/${id}`, { name: 'Shop' })
    // @ts-expect-error a member that the operation does not know
    void send('POST', '/groups', { title: 'Shop' })
    // @ts-expect-error a call is made by `callTo` alone
    void sendAny({ method: 'POST', path: '/groups', body: { title: 'Shop' } })
  }
  expect(typed).toBeTypeOf('function')
})

test('a form that changes an object gives back the body of its change', () => {
  const typed = () => {
    const state = { name: 'Shop' }
    const form = { path: `/groups/${id}`, state, set: () => undefined, read: () => state } as const
    calls.useEditing({ ...form, body: ({ name }) => ({ name }) })
    // @ts-expect-error a member that the operation does not know
    calls.useEditing({ ...form, body: ({ name }) => ({ title: name }) })
    // @ts-expect-error one more than the operation knows
    calls.useEditing({ ...form, body: ({ name }) => ({ name, title: name }) })
  }
  expect(typed).toBeTypeOf('function')
})
