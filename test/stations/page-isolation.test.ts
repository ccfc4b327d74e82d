// A core open to strangers sends no page checks to a station whose browser could harm its machine; the core decides.
import { afterEach, expect, test } from 'vitest'
import { pageTypeIds } from '../../src/checks/page-isolation.ts'
import { jobFor, verdictOf } from '../support/check.ts'
import { type FarCore, farCore, hello, jobsOf, type RawStation, rawStation } from '../support/far-core.ts'

let core: FarCore
const peers: RawStation[] = []
afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.terminate()
  await core.stop()
})

const withBrowser = { ...hello, categories: ['default', 'mobile', 'webappcheck'], unsupported_types: ['ping'] }

async function connected(isRegistrationOpen: boolean, said: object): Promise<RawStation> {
  core = await farCore({ isRegistrationOpen })
  const station = await rawStation(core, 1)
  peers.push(station)
  station.send(said)
  await station.next('welcome')
  station.send({ kind: 'ready', clock_offset_ms: 0 })
  await core.connected(1)
  return station
}

const page = { ...jobFor('fullpage', '127.0.0.1:9/'), sensorId: 1 }

test.each([
  ['none', { page_isolation: 'none' }],
  ['nothing, as older versions', {}],
  ['a word of a later version', { page_isolation: 'moon' }],
])('with registration open, a station that says %s is asked for no pages', async (_said, isolation) => {
  const station = await connected(true, { ...withBrowser, ...isolation })
  expect(core.registrations.get(1)?.categories).toEqual(['default'])
  expect(core.registrations.get(1)?.unsupportedTypes).toEqual(['ping', ...pageTypeIds])
  expect(core.log).toContainEqual(expect.objectContaining({ message: 'A sensor gets no page checks.' }))
  const refused = await core.stations.check(page)
  expect([refused.result, verdictOf(refused)]).toEqual(['unknown', 'browser_not_isolated'])
  expect(refused.errorMessage).toContain('REGISTRATION=on')
  void core.stations.check({ ...page, typeId: 'http' })
  expect(await jobsOf(station)).toHaveLength(1)
})

test.each([
  ['open', 'its sandbox', true, { page_isolation: 'sandbox' }],
  ['open', 'its container', true, { page_isolation: 'container' }],
  ['closed', 'none', false, { page_isolation: 'none' }],
  ['closed', 'nothing, as older versions', false, {}],
])(
  'with registration %s, a station that says %s is asked for pages',
  async (_registration, _said, isOpen, isolation) => {
    const station = await connected(isOpen, { ...withBrowser, ...isolation })
    expect(core.registrations.get(1)).toMatchObject({
      categories: withBrowser.categories,
      unsupportedTypes: ['ping'],
    })
    void core.stations.check(page)
    expect(await jobsOf(station)).toHaveLength(1)
    expect(core.log.map(({ message }) => message)).not.toContain('A sensor gets no page checks.')
  },
)

test('a station without a browser is none whose browser is refused', async () => {
  const station = await connected(true, hello)
  expect(core.registrations.get(1)).toMatchObject({ categories: ['default'], unsupportedTypes: [] })
  void core.stations.check(page)
  expect(await jobsOf(station)).toHaveLength(1)
})
