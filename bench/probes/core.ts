// Types that the core checks by itself: a domain, with one question to its registry.
import { get } from 'node:http'
import { nothingAsked } from '../../src/domain/expiry/registration.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { checkDomain } from '../../src/registries/domain-check.ts'
import { Registries } from '../../src/registries/registries.ts'
import { passingStore } from '../../src/registries/store.ts'
import { describedDomain, json, openRegistry } from '../../test/support/registry.ts'
import { completeSettings } from '../complete-settings.ts'

export const coreKinds = ['domain'] as const
export type CoreKind = (typeof coreKinds)[number]

/** Checks of one domain at a time share their question, so that each of those under way has another domain. */
const domains = Array.from({ length: 100 }, (_none, place) => `shop${place}.example`)
const domainEnds = '2099-01-01T00:00:00Z'

/** Returns the registry's port. */
export async function listenRegistry(): Promise<number> {
  const registry = await openRegistry()
  for (const name of domains) {
    registry.answers.set(`/rdap/domain/${name}`, json(describedDomain(name, { end: domainEnds })))
  }
  return Number(new URL(registry.origin).port)
}

function nextDomain(): () => string {
  let place = 0
  return () => {
    place = (place + 1) % domains.length
    return domains[place] ?? ''
  }
}

/** Nothing is remembered but the list of servers: every check asks the registry. */
export function domainCheck(port: number): () => Promise<void> {
  const next = nextDomain()
  const clock = { now: () => Date.now() }
  const registries = new Registries({
    ...{ clock, ways: registryWays('all'), bootstrapUrl: `http://127.0.0.1:${port}/dns.json`, whois: null },
    store: { ...passingStore(), claim: async () => ({ memory: nothingAsked, isDue: true }) },
  })
  const settings = completeSettings('domain', {})
  return async () => {
    const [startAt, address] = [clock.now(), next()]
    const job = {
      serviceId: 1,
      sensorId: 1,
      typeId: 'domain',
      address,
      settings,
      startAt,
      deadlineAt: startAt + 30_000,
    }
    const { result, errorMessage } = await checkDomain(job, registries, clock.now)
    if (result !== 'ok') throw new Error(`domain: ${errorMessage}`)
  }
}

export function bareDomain(port: number): () => Promise<void> {
  const next = nextDomain()
  return () =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: `/rdap/domain/${next()}`, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          JSON.parse(text)
          resolve()
        })
      }).on('error', reject)
    })
}
