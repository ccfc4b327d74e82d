import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import * as formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configurationSchema } from '../../src/configuration/schema.ts'
import { model } from '../support/configuring.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
formats.default.default(ajv)
const validate = ajv.compile(configurationSchema(model))

function faultsOf(document: unknown): readonly string[] {
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
}

test('every kind of the specification has a map, and the example of the documentation is right', async () => {
  const kinds =
    'tags groups services contacts contact_groups rotations escalations notification_addresses suspensions weekly_suspensions wide_suspensions wide_weekly_suspensions report_templates status_pages templates wallboards'
  expect(model.kinds.map(({ name }) => name).toSorted()).toEqual(kinds.split(' ').toSorted())
  const example = parse(await readFile('docs/examples/configuration.yaml', 'utf8'), { merge: true }) as Readonly<
    Record<string, unknown>
  >
  expect(faultsOf(example)).toEqual([])
  expect(Object.keys(example)).toEqual(expect.arrayContaining(kinds.split(' ')))
})

test('what the API would refuse is marked in the editor', () => {
  const service = { name: 'Shop', type_id: 'http', address: 'shop.example.com' }
  expect(faultsOf({ version: 1, services: { shop: service } })).toEqual([])
  expect(faultsOf({ services: {} })).toEqual([' required'])
  expect(faultsOf({ version: 1, services: { Shop: service } })).toContain('/services propertyNames')
  expect(faultsOf({ version: 1, services: { shop: { ...service, colour: 'red' } } })).toEqual([
    '/services/shop additionalProperties',
  ])
  expect(faultsOf({ version: 1, services: { shop: { ...service, extended_settings: { colour: 1 } } } })).toContain(
    '/services/shop/extended_settings additionalProperties',
  )
  expect(
    faultsOf({ version: 1, services: { shop: { ...service, extended_settings: { timeout: 'soon' } } } }),
  ).toContain('/services/shop/extended_settings/timeout type')
  expect(faultsOf({ version: 1, services: { shop: { ...service, parent_ids: ['router', 7] } } })).toEqual([])
  expect(faultsOf({ version: 1, services: { shop: { type_id: 'http' } } })).toContain('/services/shop required')
})
