import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languageIds } from '../../src/domain/dictionaries.ts'
import { interfaceDescription } from '../../src/program/interface-description.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

const place = temporaryDirectory()
let program: Launched
let url: string
beforeAll(async () => {
  program = launch({ DATA_DIR: place.path, LOCAL_SENSORS: '1' })
  url = await program.ready()
}, 120_000)
afterAll(async () => {
  await stop(program)
  place.remove()
}, 60_000)

test.each(languageIds)('the build writes the OpenAPI document in %s, and the program serves it', async (language) => {
  const path = `dist/interface/${language}.json`
  expect(existsSync(path)).toBe(true)
  const written = readFileSync(path, 'utf8')
  expect(written).toBe(JSON.stringify(interfaceDescription(language)))
  const reply = await fetch(`${url}/v3/public/swagger.json`, { headers: { 'accept-language': language } })
  const served = (await reply.text()).replaceAll(`${url}/v3`, '')
  const { servers: _ofTheDocument, ...document } = JSON.parse(written)
  expect(Object.keys(JSON.parse(served).paths)).toEqual(Object.keys(document.paths))
  expect(JSON.parse(served).info.version).toBe(document.info.version)
})
