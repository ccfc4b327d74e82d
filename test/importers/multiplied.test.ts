import { expect, test } from 'vitest'
import { Draft } from '../../src/importers/draft.ts'
import { importers } from '../../src/importers/index.ts'
import { inputOfBytes } from '../../src/importers/input.ts'

/** Exports of a few megabytes whose parts name each other so often that an import could take minutes or all memory. */

async function imported(kind: string, texts: readonly string[]): Promise<Draft> {
  const environment = { LONG: 'a'.repeat(1000) }
  const draft = new Draft({ product: kind, mark: 'test', nowAt: 0, minimumInterval: 60, environment })
  const inputs = texts.map((text) => inputOfBytes('in', Buffer.from(text)))
  await importers.find((one) => one.kind === kind)?.read(inputs, draft)
  return draft
}

const many = 50_000
const listed = (count: number, one: (at: number) => unknown) => Array.from({ length: count }, (_, at) => one(at))
const tooOften = 'The parts of the export name each other too often.'
const tooMany = 'A configuration has at most 100000 objects'

/** Exports whose parts multiply each other, or that a search for each part would hold up for minutes. */
const multiplying: readonly (readonly [string, string, object, string | null])[] = [
  ['tags of HTML that never end', 'statuspage', { page: { name: 'a', page_description: '<'.repeat(4_000_000) } }, null],
  [
    ...(['groups without components', 'statuspage'] as const),
    { page: { name: 'a' }, components: listed(many, (id) => ({ id, name: 'a', group: true, status: 'operational' })) },
    null,
  ],
  [
    ...(['groups of one number', 'statuspage'] as const),
    {
      page: { name: 'a' },
      components: listed(2 * many, (at) => ({
        name: 'a',
        status: 'x',
        ...(at % 2 ? { id: 1 } : { group_id: 1 }),
        group: at % 2,
      })),
    },
    tooOften,
  ],
  [
    ...(['links to and fro', 'healthchecks'] as const),
    listed(2 * many, (at) =>
      at % 2
        ? { model: 'api.channel', pk: at, fields: { kind: 'email', value: `a${at}@example.com`, checks: [at - 1] } }
        : { model: 'api.check', pk: at, fields: { name: 'a', slug: `a${at}`, kind: 'simple' } },
    ),
    null,
  ],
  [
    ...(['groups that double', 'healthchecks'] as const),
    listed(100, (at) => ({
      model: 'api.channel',
      pk: at,
      fields: at === 0 ? { kind: 'email', value: 'a@example.com' } : { kind: 'group', value: `${at - 1},${at - 1}` },
    })),
    null,
  ],
  [
    ...(['one window of each monitor', 'uptimerobot'] as const),
    {
      monitors: listed(many, (id) => ({ id, url: 'http://127.0.0.1/', type: 1, mwindows: [{ id: 1, type: 9 }] })),
    },
    null,
  ],
  [
    ...(['pages with every service', 'uptimerobot'] as const),
    {
      monitors: listed(500, (id) => ({ id, url: 'http://127.0.0.1/', type: 1 })),
      psps: listed(many, (id) => ({ id, friendly_name: 'a', monitors: [0] })),
    },
    tooMany,
  ],
  [
    ...(['settings of each group', 'gatus'] as const),
    {
      alerting: { slack: { overrides: listed(20_000, (at) => ({ group: `g${at}` })) } },
      endpoints: listed(20_000, (at) => ({
        name: 'a',
        group: `g${at}`,
        url: 'http://127.0.0.1/',
        alerts: [{ type: 'slack' }],
      })),
    },
    null,
  ],
  [
    ...(['long settings of each alert', 'gatus'] as const),
    {
      alerting: { slack: { 'webhook-url': 'a'.repeat(4_000_000) } },
      endpoints: listed(1000, (at) => ({
        ...{ name: 'a', url: 'http://127.0.0.1/' },
        alerts: [{ type: 'slack', 'provider-override': { a: at } }],
      })),
    },
    tooOften,
  ],
  [
    ...(['conditions that are all left out', 'gatus'] as const),
    { endpoints: [{ name: 'a', url: 'http://127.0.0.1/', conditions: listed(4 * many, (at) => `[X] == ${at}`) }] },
    null,
  ],
  [
    ...(['a day that is named again and again', 'gatus'] as const),
    {
      endpoints: listed(1000, () => ({ name: 'a', url: 'http://127.0.0.1/' })),
      maintenance: { start: '23:00', duration: '1h', every: listed(4 * many, () => 'Monday') },
    },
    null,
  ],
  [
    ...(['a variable of the environment, again and again', 'gatus'] as const),
    { endpoints: [{ name: '$LONG '.repeat(1_000_000), url: 'http://127.0.0.1/' }] },
    tooOften,
  ],
  [
    ...(['targets of a module with many patterns', 'blackbox-exporter'] as const),
    {
      modules: { m: { prober: 'http', http: { fail_if_body_matches_regexp: listed(many, () => 'a') } } },
      scrape_configs: [
        { job_name: 'j', params: { module: ['m'] }, static_configs: [{ targets: listed(many, () => '127.0.0.1') }] },
      ],
    },
    tooOften,
  ],
  [
    ...(['a folder of targets that each job names again and again', 'blackbox-exporter'] as const),
    {
      modules: { m: { prober: 'icmp' } },
      scrape_configs: listed(1000, () => ({
        ...{ job_name: 'j', params: { module: ['m'] } },
        file_sd_configs: [{ files: listed(1000, () => 'in') }],
      })),
    },
    tooMany,
  ],
]

test.each(multiplying)('%s end an import soon', { timeout: 60_000 }, async (_what, kind, whole, refusal) => {
  const targets = kind === 'blackbox-exporter' ? [JSON.stringify([{ targets: ['a'] }])] : []
  const reading = imported(kind, [JSON.stringify(whole), ...targets])
  if (refusal !== null) return void (await expect(reading).rejects.toThrow(refusal))
  expect((await reading).finish().document).toMatchObject({ version: 1 })
})

const dumpOf = (tables: Readonly<Record<string, readonly object[]>>) => {
  const fields = (row: object) => Object.entries(row).map(([name, value]) => `<field name="${name}">${value}</field>`)
  const dumped = Object.entries(tables).map(
    ([name, rows]) =>
      `<table_data name="${name}">${rows.map((row) => `<row>${fields(row).join('')}</row>`).join('')}</table_data>`,
  )
  return `<?xml version="1.0"?><mysqldump><database>${dumped.join('')}</database></mysqldump>`
}

test.each([
  ['every monitor has its notification and its tag', {}, null],
  ['a line of cron names days of a thousand years', { cron: '0 2 * * 0-999999999' }, null],
  ['groups stand in groups, thousands deep', { parentOf: (id: number) => id - 1 }, null],
  ['each of many windows is of a group with many monitors', { parentOf: () => 1, windows: many }, tooOften],
] as const)('a dump in which %s ends an import soon', { timeout: 60_000 }, async (_what, given, refusal) => {
  const {
    cron = '0 2 * * 1',
    parentOf = () => '',
    windows = 1,
  } = { ...given } as {
    readonly cron?: string
    readonly parentOf?: (id: number) => number | string
    readonly windows?: number
  }
  const monitors = listed(many, (id) => ({
    id,
    name: 'a',
    type: id < many / 2 ? 'group' : 'ping',
    parent: parentOf(id),
    hostname: '127.0.0.1',
  }))
  const dump = dumpOf({
    monitor: monitors as object[],
    notification: [{ id: 1, name: 'a', config: '{"type": "webhook", "webhookURL": "http://127.0.0.1/"}' }],
    monitor_notification: listed(many, (id) => ({ monitor_id: id, notification_id: 1 })) as object[],
    tag: listed(100, (id) => ({ id, name: `t${id}` })) as object[],
    monitor_tag: listed(many, (id) => ({ monitor_id: id, tag_id: id % 100 })) as object[],
    maintenance: listed(windows, (id) => ({
      id,
      title: 'a',
      strategy: windows === 1 ? 'cron' : 'none',
      cron,
      duration: 60,
    })) as object[],
    monitor_maintenance: listed(windows, (id) => ({
      monitor_id: windows === 1 ? many - 1 : 1,
      maintenance_id: id,
    })) as object[],
  })
  const reading = imported('uptime-kuma', [dump])
  if (refusal !== null) return void (await expect(reading).rejects.toThrow(refusal))
  const { document } = (await reading).finish()
  expect(Object.keys(document['services'] as object)).toHaveLength(many / 2)
})
