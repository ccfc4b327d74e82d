import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInCore, needsBrowser, reportsIn } from '../../src/checks/index.ts'
import { demoServices } from '../../src/demo/company.ts'
import { newNote } from '../../src/demo/installation.ts'
import { openTargets, type Targets } from '../../src/demo/targets/targets.ts'
import type { DemoService } from '../../src/demo/watched.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { checkDomain } from '../../src/registries/domain-check.ts'
import { Registries } from '../../src/registries/registries.ts'
import { passingStore } from '../../src/registries/store.ts'
import { type Checker, createChecker, verdictOf } from '../support/check.ts'

const services = demoServices(['default'], false).filter(({ typeId }) => !needsBrowser(typeId) && !reportsIn(typeId))
/** Their ports stay open and their certificate is as it is. */
const alwaysThere = ['imap', 'warehouse', 'handshake']
let targets: Targets
let checker: Checker

beforeAll(async () => {
  targets = await openTargets(newNote(Date.now()))
  checker = createChecker()
})
afterAll(() => {
  checker.stop()
  targets.close()
})

/** Nothing is remembered from one check to the next. */
function checkInCore({ typeId, address, settings }: DemoService) {
  const { places } = targets
  const [clock, bootstrapUrl] = [{ now: () => Date.now() }, `http://127.0.0.1:${places.rdap}/dns.json`]
  const asking = { ways: registryWays('all'), bootstrapUrl, whois: null }
  const registries = new Registries({ ...asking, store: passingStore(), clock })
  const job = { serviceId: 1, sensorId: 0, typeId, address: address(places), settings: settings?.(places) ?? {} }
  return checkDomain({ ...job, startAt: 0, deadlineAt: 0 }, registries, clock.now)
}

function check(service: DemoService) {
  const { typeId, address, settings } = service
  if (isInCore(typeId)) return checkInCore(service)
  return checker.check(typeId, address(targets.places), settings?.(targets.places) ?? {})
}

describe('the servers of the demo', () => {
  test.each(services.map((service) => [service.key, service] as const))('%s is well', async (key, service) => {
    // It fails by the clock, every three hours.
    if (key === 'staging') return
    const result = await check(service)
    expect(verdictOf(result), result.errorMessage ?? '').toBe(key === 'certificate' ? 'certificate_expires_soon' : 'ok')
    if (service.bytes > 0 && key !== 'certificate') expect(result.dataSize).toBe(service.bytes)
  })

  test.each(services.filter(({ key }) => !alwaysThere.includes(key)).map((service) => [service.key, service] as const))(
    '%s fails as its month tells',
    async (key, service) => {
      targets.harm(service.part)
      const result = await check(service)
      targets.mend(service.part)
      expect(verdictOf(result)).toBe(key === 'uk' ? 'http_server_error' : service.failing.symbol)
      if (key !== 'uk' && key !== 'certificate') expect(result.errorMessage).toBe(service.failing.message)
    },
  )

  test('whoever wants to see a failure breaks the shop for three minutes', async () => {
    const shop = `http://127.0.0.1:${targets.places.web}`
    const broken = await fetch(`${shop}/break`, { method: 'POST' })
    const { broken_until: until } = (await broken.json()) as { broken_until: string }
    expect(Math.abs(Date.parse(until) - Date.now() - 180_000)).toBeLessThan(60_000)
    expect((await fetch(`${shop}/`)).status).toBe(503)
    targets.mend('shop')
    expect((await fetch(`${shop}/`)).status).toBe(200)
  })
})
