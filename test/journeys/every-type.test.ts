import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, createClient, type Schemas } from '../../client/client.ts'
import { needsBrowser, needsSensors, reportsIn, serviceTypeOf, serviceTypes } from '../../src/checks/index.ts'
import { demoServices } from '../../src/demo/company.ts'
import { newNote } from '../../src/demo/installation.ts'
import { openTargets, type Targets } from '../../src/demo/targets/targets.ts'
import type { TargetPorts } from '../../src/demo/watched.ts'
import { sensorCategories } from '../../src/domain/services/service-types.ts'
import { findBrowser } from '../../src/sensor/browser/find-browser.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { browserChoice } from '../support/browser.ts'
import { wholeProgram } from '../support/own-program.ts'

/** A newcomer makes one service of each type that the program offers, all at once, against servers on this machine. */
type Json = Readonly<Record<string, unknown>>

/** Browsers take no word for a certificate that nobody vouches for. */
const untrusted: ReadonlySet<string> = new Set(['fullpagehttps', 'mobilepagehttps'])

/** The demo's company has a service of each type. */
function exampleOf(typeId: string, places: TargetPorts): { readonly address: string; readonly settings: Json } {
  const service = demoServices(sensorCategories, true).find((one) => one.typeId === typeId)
  if (service === undefined) throw new Error(`The demo has no service of type ${typeId}.`)
  return { address: service.address(places), settings: service.settings?.(places) ?? {} }
}

const data = temporaryDirectory()
const wait = { timeout: 150_000, interval: 500 }
let targets: Targets
let program: Launched
let server: string
let api: Client

/** Types that the stations of this machine can check, as the start message tells. */
function missingHere(typeId: string): string | null {
  const [, stations = ''] = /^ {2}Stations +(.*)$/m.exec(program.stdout()) ?? []
  if (typeId.endsWith('_ipv6') && !stations.includes('IPv6')) return 'this machine has no IPv6'
  if (typeId.startsWith('ping') && !stations.includes('ping with')) return 'this machine cannot ping'
  if (needsBrowser(typeId) && findBrowser(browserChoice) === null) return 'there is no browser'
  return null
}

type TypeId = Schemas['type_id']

/** The list may name types that this program does not know. */
function isOffered(id: string): id is TypeId {
  return serviceTypes.some((type) => type.id === id)
}

/** Each station's last result. A busy station may answer `unknown`, so it is asked again. */
async function findings(id: number): Promise<readonly string[]> {
  const query = { limit: 1, sort: ['-analysis_id'] }
  const [analysis] = await api.get('/services/{_id}/history/analyses', { path: { _id: id }, query })
  if (analysis === undefined) return []
  const path = { _id: id, _analysis_id: analysis.analysis_id }
  const checks = await api.get('/services/{_id}/history/analyses/{_analysis_id}/checks', { path })
  return checks.map(({ result }) => result)
}

beforeAll(async () => {
  targets = await openTargets(newNote(Date.now()))
  program = launch({
    WHOIS_SERVER: '',
    RDAP_BOOTSTRAP_URL: `http://127.0.0.1:${targets.places.rdap}/dns.json`,
    ...{ DATA_DIR: data.path, FORCE_LIMITS: '1000,1000,1000', RATE_LIMIT: '100000' },
    ...(browserChoice.chromiumPath === null ? {} : { CHROMIUM_PATH: browserChoice.chromiumPath }),
  })
  server = await program.ready()
  api = createClient({ server, username: 'user', password: generatedPassword(program.stdout(), 'account') })
}, 90_000)

afterAll(async () => {
  if (program !== undefined) await stop(program)
  targets?.close()
  data.remove()
})

/** The outcome of `latarnik check` with the stations of the installation: its code, each result, and the verdict. */
async function answerWhileOneWaits(typeId: TypeId, address: string, settings: Json) {
  const order = ['check', address, '--type', typeId, '--server', server, '--settings', '-', '--json']
  const child = spawn(process.execPath, [wholeProgram('cli'), ...order], {
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8' },
      ...{ LATARNIK_USERNAME: 'user', LATARNIK_PASSWORD: generatedPassword(program.stdout(), 'account') },
    },
  })
  child.stdin.end(JSON.stringify(settings))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const lines: readonly Json[] = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const results = lines.flatMap(({ result }) => (typeof result === 'string' ? [result] : []))
  return { code, stderr, results, verdict: lines.at(-1)?.['verdict'] }
}

/** Busy stations may answer `unknown`, so they are asked again. */
const tries = 4

test('each type is answered while one waits, at the terminal by three stations', {
  timeout: 400_000,
}, async (context) => {
  const ids = serviceTypes.map(({ id }) => id).filter((id): id is TypeId => isOffered(id))
  const possible = ids.filter((id) => missingHere(id) === null)
  for (const typeId of possible) {
    const { address, settings } = exampleOf(typeId, targets.places)
    const longest = serviceTypeOf(typeId)?.settings.find(({ setting_id }) => setting_id === 'timeout')?.maximum
    const patient = { ...(longest === undefined || longest === null ? {} : { timeout: longest }), ...settings }
    if (reportsIn(typeId)) {
      const { code, stderr } = await answerWhileOneWaits(typeId, address, settings)
      expect([typeId, code, stderr]).toEqual([typeId, 2, expect.stringContaining('report by themselves')])
      continue
    }
    const isGood = !untrusted.has(typeId)
    const results = Array(needsSensors(typeId) ? 3 : 1).fill(isGood ? 'ok' : 'error')
    const wanted = { code: isGood ? 0 : 1, results, verdict: isGood ? 'ok' : 'failure' }
    let told: Partial<Awaited<ReturnType<typeof answerWhileOneWaits>>> = {}
    for (let count = 0; count < tries && told.verdict !== wanted.verdict; count += 1) {
      told = await answerWhileOneWaits(typeId, address, patient)
    }
    const { code, verdict, results: seen = [] } = told
    expect([typeId, code, verdict, seen.length], told.stderr).toEqual([
      typeId,
      wanted.code,
      wanted.verdict,
      results.length,
    ])
    expect([typeId, seen]).toEqual([typeId, expect.arrayContaining([isGood ? 'ok' : 'error'])])
  }
  expect(possible.length).toBeGreaterThan(30)
  const missing = ids.flatMap((id) => missingHere(id) ?? [])
  if (missing.length > 0) context.skip(`not all of it: ${[...new Set(missing)].join(', ')}`)
})

test('services of every type are made, and three stations agree about each', { timeout: 240_000 }, async (context) => {
  const types = await api.all('/service_types', { query: { embed: ['extended_setting_formats'] } })
  expect(types.map(({ id }) => id).toSorted()).toEqual(serviceTypes.map(({ id }) => id).toSorted())
  const missing = types.flatMap(({ id }) => missingHere(id) ?? [])
  const possible = types.flatMap(({ id, ...type }) =>
    isOffered(id) && missingHere(id) === null ? [{ ...type, id }] : [],
  )
  const waiting = new Map<number, string>()
  for (const { id: type_id, extended_setting_formats } of possible) {
    const { address, settings } = exampleOf(type_id, targets.places)
    // A slow machine is not what is tried here.
    const timeout = extended_setting_formats?.find(({ setting_id }) => setting_id === 'timeout')?.maximum ?? undefined
    const extended_settings = { ...(timeout === undefined ? {} : { timeout }), ...settings }
    const body = { name: `My ${type_id}`, type_id, address, interval: 3600, extended_settings }
    const { id } = await api.post('/services', { body })
    waiting.set(id, type_id)
    if (reportsIn(type_id)) {
      const { ping_url } = await api.get('/services/{_id}', { path: { _id: id } })
      expect((await fetch(ping_url ?? '')).status).toBe(200)
    }
  }
  await vi.waitFor(async () => {
    const unlike: unknown[] = []
    for (const [id, typeId] of waiting) {
      const found = await findings(id)
      const wanted = untrusted.has(typeId) ? 'error' : 'ok'
      // Some are judged by the core alone.
      const wantedCount = needsSensors(typeId) ? 3 : 1
      if (found.length === wantedCount && found.every((one) => one === wanted)) waiting.delete(id)
      else unlike.push([typeId, found])
      if (found.length > 0 && waiting.has(id)) {
        await api.post('/services/{_id}/force_analysis', { path: { _id: id } })
      }
    }
    expect(unlike).toEqual([])
  }, wait)
  for (const { id: type_id } of possible) {
    const [service] = await api.get('/services', { query: { type_id: [type_id], embed: ['status'] } })
    const summary = untrusted.has(type_id) ? 'failure' : 'ok'
    expect([type_id, service?.status?.summary]).toEqual([type_id, summary])
  }
  if (missing.length > 0) context.skip(`not all of it: ${[...new Set(missing)].join(', ')}`)
})
