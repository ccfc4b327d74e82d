import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { beforeEach, describe, expect, test } from 'vitest'
import { listenAlone } from '../support/raw-http.ts'
import { StatusPageRig } from '../support/status-page-rig.ts'

/**
 * The published client of Statuspage's read API, of the npm package `statuspage.io`: run against a page, and its types
 * as a schema of what it gets. It is under the GPL, so it is no dependency. `STATUSPAGE_CLIENT` is a folder that has it
 * and `ts-json-schema-generator`, as .ci/run installs them.
 */
const folder = process.env['STATUSPAGE_CLIENT'] ?? ''
const modules = join(folder, 'node_modules')
const isThere = folder !== '' && existsSync(join(modules, 'statuspage.io'))
const missing = 'STATUSPAGE_CLIENT names no folder with the package statuspage.io (.ci/run installs one)'

const types = {
  ...{ summary: 'Summary', components: 'Components', status: 'Status' },
  ...{ incidents: 'Incidents', 'incidents/unresolved': 'Incidents' },
  'scheduled-maintenances': 'ScheduledMaintenances',
  'scheduled-maintenances/upcoming': 'ScheduledMaintenances',
  'scheduled-maintenances/active': 'ScheduledMaintenances',
} as const

/** The client's types give a message about maintenance the statuses of incidents alone; Statuspage sends its own. */
const untold = /^\/scheduled_maintenances\/\d+\/incident_updates\/\d+\/status$/

const node = async (...given: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, given, { maxBuffer: 2 ** 24 })).stdout

async function schemaOf(type: string): Promise<object> {
  const result = join(modules, 'statuspage.io/dist/interfaces/Result.d.ts')
  const generator = join(modules, 'ts-json-schema-generator/bin/ts-json-schema-generator.js')
  return JSON.parse(
    await node(generator, '--path', result, '--type', type, '--no-type-check', '--additional-properties'),
  ) as object
}

describe('the client statuspage.io', () => {
  const rig = new StatusPageRig()

  beforeEach(async () => {
    const group = await rig.component({ name: 'Group' })
    const shop = await rig.component({ parent_id: group, status: 'operational', description: 'Baskets' })
    const slow = { is_published: true, component_ids: [shop] }
    const affected_components = [{ component_id: shop, status: 'partial_outage' }]
    await rig.incident({ ...slow, body: 'We look.', impact: 'major', affected_components })
    const over = await rig.incident({ ...slow, body: 'We look.' })
    const say = { status: 'resolved', body: 'Done.' }
    await rig.world.call('alice', 'POST', `/status_page_incidents/${over}/updates`, say)
    const at = (hours: number) => new Date(rig.world.clock.now() + hours * 3_600_000).toISOString()
    const plan = { ...slow, is_maintenance: true }
    await rig.incident({ ...plan, scheduled_for: at(-1), scheduled_until: at(1) })
    await rig.incident({ ...plan, scheduled_for: at(5), scheduled_until: at(6), body: 'Expect nothing.' })
  })

  test('reads every document of a page, and gets what its types say', async ({ skip }) => {
    if (!isThere) {
      process.stdout.write(`NOT TESTED: a published client of the read API: ${missing}\n`)
      return skip(missing)
    }
    await rig.visit()
    const port = await listenAlone(rig.world.server)
    const script = fileURLToPath(new URL('statuspage/read.mjs', import.meta.url))
    const read = JSON.parse(await node(script, folder, `http://127.0.0.1:${port}/status/${rig.slug}`))
    expect(Object.keys(read).toSorted()).toEqual(Object.keys(types).toSorted())
    const schemas = new Map<string, object>()
    for (const type of new Set(Object.values(types))) schemas.set(type, await schemaOf(type))
    for (const [name, type] of Object.entries(types)) {
      const validate = new Ajv({ allErrors: true, strict: false }).compile(schemas.get(type) ?? {})
      validate(read[name])
      const faults = (validate.errors ?? []).filter(({ instancePath }) => !untold.test(instancePath))
      expect([name, faults]).toEqual([name, []])
      for (const [member, found] of Object.entries(read[name]))
        if (Array.isArray(found)) expect([name, member, found.length]).not.toEqual([name, member, 0])
    }
  })
})
