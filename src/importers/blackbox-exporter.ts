import { basename } from 'node:path'
import { isObject } from '../domain/input/json.ts'
import { dnsTarget } from './blackbox-dns.ts'
import { httpTarget, webSocketTarget } from './blackbox-http.ts'
import { type Asked, ofProtocol, type Target, tellLeftOut, tellRelabelling, tlsOf } from './blackbox-parts.ts'
import { tcpTarget } from './blackbox-tcp.ts'
import type { Draft } from './draft.ts'
import { readDuration } from './durations.ts'
import type { Importer } from './importer.ts'
import { faulty, type Input, readValue } from './input.ts'
import { append, ownOf, type Row, rowOf, textsOf } from './row.ts'
import { readTarget } from './web.ts'

/** The modules of blackbox_exporter, with the targets that Prometheus probes: scrape configurations and file_sd. */

interface Files {
  readonly modules: Map<string, Row>
  /** Characters of each module: what it says is read for each of its targets. */
  readonly sizes: Map<Row, number>
  readonly jobs: Row[]
  /** Lists of targets by the name of their file. */
  readonly lists: Map<string, readonly Row[]>
  interval: string
}

interface Probe {
  readonly target: string
  readonly module: string | null
  readonly job: string | null
  readonly labels: Row
  readonly interval: string
}

async function readInto(input: Input, files: Files): Promise<void> {
  const value = await readValue(input)
  if (Array.isArray(value)) {
    files.lists.set(basename(input.path), value.filter(isObject).map(rowOf))
    return
  }
  const whole = rowOf(value)
  if (!whole.has('modules') && !whole.has('scrape_configs')) {
    throw faulty(
      input.path,
      'Expected modules of blackbox_exporter, scrape_configs of Prometheus, or a list of targets.',
    )
  }
  for (const [name, module] of Object.entries(whole.row('modules').members)) {
    const row = rowOf({ ...rowOf(module).members, name })
    files.modules.set(name, row)
    files.sizes.set(row, JSON.stringify(row.members).length)
  }
  append(files.jobs, whole.rows('scrape_configs'))
  files.interval = whole.row('global').text('scrape_interval') ?? files.interval
}

/** `targets/*.json` → the given files with such a name. */
function listsOf(pattern: string, files: Files): readonly string[] {
  const [before = '', after] = basename(pattern).split('*')
  return [...files.lists.keys()].filter((name) =>
    after === undefined ? name === before : name.startsWith(before) && name.endsWith(after),
  )
}

function* probesOf(draft: Draft, files: Files): Iterable<Probe> {
  const seen = new Set<string>()
  for (const job of files.jobs) yield* probesOfJob(draft, job, files, seen)
  for (const [name, groups] of files.lists) {
    if (seen.has(name)) continue
    for (const group of groups) yield* targetsOf(group, { module: null, job: null, interval: files.interval })
  }
}

/** @param seen gets the names of the lists that the job reads */
function* probesOfJob(draft: Draft, job: Row, files: Files, seen: Set<string>): Iterable<Probe> {
  const name = job.text('job_name')
  const [module = null] = job.row('params').texts('module')
  // Other jobs scrape programs.
  if (module === null && job.text('metrics_path') !== '/probe') return
  const interval = job.text('scrape_interval') ?? files.interval
  const lists = job
    .rows('file_sd_configs')
    .flatMap((config) => config.texts('files'))
    .flatMap((pattern) => {
      const names = listsOf(pattern, files)
      if (names.length === 0) draft.note(`The targets of ${pattern} are left out: the file was not given.`)
      return names
    })
  for (const one of lists) seen.add(one)
  tellRelabelling(draft, job)
  const asked = job.row('params').texts('target')
  // Without relabelling the targets stand in the parameters, and the exporter stands in their place.
  if (asked.length > 0) {
    for (const target of asked) yield { module, job: name, interval, target, labels: rowOf({}) }
    return
  }
  const others = Object.keys(job.members).filter(
    (member) => member.endsWith('_sd_configs') && member !== 'file_sd_configs',
  )
  if (others.length > 0)
    draft.note(`The targets of ${name} by ${others.join(', ')} are left out: they stand in no file.`)
  for (const groups of [job.rows('static_configs'), ...lists.map((one) => files.lists.get(one) ?? [])]) {
    draft.step(groups.length)
    for (const group of groups) yield* targetsOf(group, { module, job: name, interval })
  }
}

function targetsOf(group: Row, usual: Pick<Probe, 'module' | 'job' | 'interval'>): readonly Probe[] {
  const labels = group.row('labels')
  const module = labels.text('__param_module') ?? labels.text('module') ?? usual.module
  return group.texts('targets').map((target) => ({ ...usual, target, module, labels }))
}

const probers: Readonly<Record<string, (asked: Asked) => Target | string>> = {
  ...{ http: httpTarget, tcp: tcpTarget, dns: dnsTarget, websocket: webSocketTarget },
  icmp: (asked) => {
    const settings = { bytes_to_send: asked.section.number('payload_size') }
    return { type_id: ofProtocol(asked, 'ping'), address: asked.target, extended_settings: settings }
  },
  grpc: (asked) => {
    const { item, section: grpc, target } = asked
    const settings = {
      service_name: grpc.text('service'),
      ...(grpc.flag('tls') ? { tls: 'tls' } : {}),
      ...tlsOf(item, grpc.row('tls_config')),
    }
    return { type_id: ofProtocol(asked, 'grpc'), address: target, extended_settings: settings }
  },
}

/** The target as people may see it: without a login. */
function shownTarget(target: string): string {
  const read = readTarget(target)
  return read === null || (read.username ?? read.password) === null ? target : `${read.scheme}://${read.address}`
}

function readProbe(draft: Draft, probe: Probe, files: Files): void {
  const shown = shownTarget(probe.target)
  const item = draft.item('target', `${shown}${probe.module === null ? '' : ` (${probe.module})`}`)
  const [only] = files.modules.size === 1 ? files.modules.keys() : []
  const module = files.modules.get(probe.module ?? only ?? '')
  if (module === undefined)
    return void item.leave(
      probe.module === null
        ? 'Nothing says which module probes it.'
        : `The module ${probe.module} is not in what was given.`,
    )
  const kind = module.text('prober') ?? ''
  const prober = ownOf(probers, kind)
  if (prober === undefined) return void item.leave(`Latarnik has no check for the prober ${kind}.`)
  draft.step((files.sizes.get(module) ?? 0) + Object.keys(probe.labels.members).length)
  const section = module.row(kind)
  const target = prober({ draft, item, module: module.text('name') ?? '', section, target: probe.target })
  if (typeof target === 'string') return void item.leave(target)
  tellLeftOut(item, section)
  const timeout = readDuration(module.text('timeout') ?? '')
  const wait = timeout === null ? {} : target.type_id === 'ping' ? { reply_timeout: timeout } : { timeout }
  const labels = textsOf(probe.labels).filter(([name]) => !name.startsWith('__') && name !== 'module')
  draft.service(item, {
    ...target,
    ...{ name: shown, interval: (readDuration(probe.interval) ?? 60_000) / 1000 },
    group_id: probe.job === null ? undefined : draft.group(probe.job),
    extended_settings: { ...wait, ...target.extended_settings },
    tags: labels.flatMap(([name, value]) => draft.tag(`${name}: ${value}`) ?? []),
  })
}

export const blackboxExporter: Importer = {
  kind: 'blackbox-exporter',
  product: 'blackbox_exporter',
  files: 'blackbox.yml, with prometheus.yml and the files of its file_sd_configs',
  async read(inputs, draft) {
    const files: Files = { modules: new Map(), sizes: new Map(), jobs: [], lists: new Map(), interval: '1m' }
    for (const input of inputs) await readInto(input, files)
    for (const probe of probesOf(draft, files)) readProbe(draft, probe, files)
    draft.note('Prometheus knew whom to tell by its alerts: give the groups contacts, or nobody hears of failures.')
  },
}
