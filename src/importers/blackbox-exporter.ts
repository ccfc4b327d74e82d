import { basename } from 'node:path'
import { isObject } from '../domain/json.ts'
import { ofProtocol, tcpTarget, tellLeftOut, tellRelabelling, tlsOf } from './blackbox-parts.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService } from './drawn.ts'
import { readDuration } from './durations.ts'
import type { Importer } from './importer.ts'
import { faulty, type Input, readValue } from './input.ts'
import { append, type Row, rowOf } from './row.ts'
import { basicLogin, headerSettings, readTarget, statusRanges } from './web.ts'

/** The modules of blackbox_exporter, with the targets that Prometheus probes: scrape configurations and file_sd. */

interface Files {
  readonly modules: Map<string, Row>
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

type Settings = Readonly<Record<string, unknown>>
type Target = Pick<DrawnService, 'type_id' | 'address' | 'extended_settings'>

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
    files.modules.set(name, rowOf({ ...rowOf(module).members, name }))
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

function probesOf(draft: Draft, files: Files): readonly Probe[] {
  const seen = new Set<string>()
  const probes = files.jobs.flatMap((job) => {
    const name = job.text('job_name')
    const [module = null] = job.row('params').texts('module')
    // Other jobs scrape programs.
    if (module === null && job.text('metrics_path') !== '/probe') return []
    const interval = job.text('scrape_interval') ?? files.interval
    const patterns = job.rows('file_sd_configs').flatMap((config) => config.texts('files'))
    const found = patterns.flatMap((pattern) => {
      const names = listsOf(pattern, files)
      if (names.length === 0) draft.note(`The targets of ${pattern} are left out: the file was not given.`)
      for (const one of names) seen.add(one)
      return names.flatMap((one) => files.lists.get(one) ?? [])
    })
    tellRelabelling(draft, job)
    const asked = job.row('params').texts('target')
    // Without relabelling the targets stand in the parameters, and the exporter stands in their place.
    if (asked.length > 0) return asked.map((target) => ({ module, job: name, interval, target, labels: rowOf({}) }))
    const others = Object.keys(job.members).filter(
      (member) => member.endsWith('_sd_configs') && member !== 'file_sd_configs',
    )
    if (others.length > 0)
      draft.note(`The targets of ${name} by ${others.join(', ')} are left out: they stand in no file.`)
    return [...job.rows('static_configs'), ...found].flatMap((group) =>
      targetsOf(group, { module, job: name, interval }),
    )
  })
  const loose = [...files.lists].filter(([name]) => !seen.has(name))
  return [
    ...probes,
    ...loose.flatMap(([, groups]) =>
      groups.flatMap((group) => targetsOf(group, { module: null, job: null, interval: files.interval })),
    ),
  ]
}

function targetsOf(group: Row, usual: Pick<Probe, 'module' | 'job' | 'interval'>): readonly Probe[] {
  const labels = group.row('labels')
  const module = labels.text('__param_module') ?? labels.text('module') ?? usual.module
  return group.texts('targets').map((target) => ({ ...usual, target, module, labels }))
}

/** Assertions that the text is found, or is not. */
function patterns(
  source: Settings,
  list: readonly string[],
  comparison: 'matches' | 'not_matches',
): readonly Settings[] {
  return list.map((value) => ({ ...source, comparison, value }))
}

function headerAssertions(http: Row, member: string, comparison: 'matches' | 'not_matches'): readonly Settings[] {
  return http
    .rows(member)
    .map((one) => ({ source: 'header', path: one.text('header'), comparison, value: one.text('regexp') }))
}

function assertionsOf(item: Item, http: Row): readonly Settings[] {
  for (const member of Object.keys(http.members)) {
    if (/_cel$/.test(member)) item.change(`${member} is left out: no assertion means the same.`)
  }
  return [
    ...patterns({ source: 'body' }, http.texts('fail_if_body_not_matches_regexp'), 'matches'),
    ...patterns({ source: 'body' }, http.texts('fail_if_body_matches_regexp'), 'not_matches'),
    ...headerAssertions(http, 'fail_if_header_not_matches', 'matches'),
    ...headerAssertions(http, 'fail_if_header_matches', 'not_matches'),
  ]
}

function loginOf(draft: Draft, item: Item, name: string, http: Row): Settings {
  const [basic, authorization, oauth] = [http.row('basic_auth'), http.row('authorization'), http.row('oauth2')]
  const files = [
    basic.text('password_file'),
    http.text('bearer_token_file'),
    authorization.text('credentials_file'),
    oauth.text('client_secret_file'),
  ]
  if (files.some((file) => file !== null)) item.change('The secret stands in a file there: set its variable.')
  const bearer = http.text('bearer_token') ?? authorization.text('credentials')
  if (bearer !== null || http.has('bearer_token_file') || authorization.has('credentials_file'))
    return { bearer_token: draft.secret(`${name} bearer token`, bearer) }
  if (oauth.has('token_url')) {
    if (oauth.has('endpoint_params')) item.change('oauth2.endpoint_params is left out.')
    const scopes = oauth.texts('scopes').join(' ')
    return {
      oauth_token_url: oauth.text('token_url'),
      oauth_client_id: draft.secret(`${name} oauth client id`, oauth.text('client_id')),
      oauth_client_secret: draft.secret(`${name} oauth client secret`, oauth.text('client_secret')),
      oauth_scope: scopes === '' ? null : scopes,
    }
  }
  if (basic.has('password_file'))
    return { username: basic.text('username'), password: draft.secret(`${name} password`, null) }
  return basicLogin(draft, name, basic.text('username'), basic.text('password'))
}

function httpTarget(draft: Draft, item: Item, module: Row, target: string): Target | string {
  // Targets of one module share its secrets.
  const name = `${module.text('name') ?? ''} request`
  const http = module.row('http')
  const read = readTarget(target) ?? readTarget(`http://${target}`)
  if (read === null || !/^https?$/.test(read.scheme)) return 'Its address is no http or https.'
  if (http.has('proxy_url')) item.change('It is checked without the proxy.')
  const wrongScheme = read.scheme === 'http' ? 'fail_if_not_ssl' : 'fail_if_ssl'
  if (http.flag(wrongScheme)) item.change(`Left out: ${wrongScheme}.`)
  const codes = new Set(http.texts('valid_status_codes').map(Number))
  const assertions = assertionsOf(item, http)
  const headers = Object.entries(http.row('headers').members).map(([name, value]) => [name, String(value)] as const)
  const follows = http.flag('follow_redirects', true) && !http.flag('no_follow_redirects')
  return {
    type_id: ofProtocol(item, http, read.scheme),
    address: read.address,
    extended_settings: {
      http_method: http.text('method')?.toUpperCase(),
      content: http.text('body'),
      ...basicLogin(draft, `${item.name} request`, read.username, read.password),
      ...loginOf(draft, item, name, http),
      ...headerSettings(draft, name, headers),
      accepted_statuses: statusRanges(codes),
      ...(follows ? {} : { follow_redirects: false }),
      ...tlsOf(item, http.row('tls_config')),
      ...(assertions.length === 0 ? {} : { assertions }),
    },
  }
}

function dnsTarget(_draft: Draft, item: Item, module: Row, target: string): Target | string {
  const dns = module.row('dns')
  if (dns.flag('dns_over_tls')) return 'Latarnik asks no DNS over TLS.'
  if (!dns.flag('recursion_desired', true)) item.change('Recursion is asked for.')
  const [, host = target, port = ''] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(target) ?? []
  const rules = Object.keys(dns.members).filter((member) => member.startsWith('validate_'))
  const [pattern, ...others] = dns.row('validate_answer_rrs').texts('fail_if_not_matches_regexp')
  if (rules.length > (pattern === undefined ? 0 : 1) || others.length > 0)
    item.change(`${rules.join(', ')}: only the first pattern of answers is carried.`)
  const [code = null, ...more] = dns.texts('valid_rcodes')
  if (more.length > 0) item.change(`Only ${code} is expected of its response codes.`)
  return {
    type_id: ofProtocol(item, dns, 'dns'),
    address: host,
    extended_settings: {
      ...{ query_name: dns.text('query_name')?.replace(/\.$/, ''), query_type: dns.text('query_type') ?? 'A' },
      ...{ transport: dns.text('transport_protocol')?.toLowerCase(), expected_rcode: code },
      ...(port === '' ? {} : { port: Number(port) }),
      ...(pattern === undefined ? {} : { expected_answer_regex: pattern }),
    },
  }
}

const probers: Readonly<Record<string, (draft: Draft, item: Item, module: Row, target: string) => Target | string>> = {
  ...{ http: httpTarget, tcp: tcpTarget, dns: dnsTarget },
  icmp: (_draft, item, module, target) => {
    const icmp = module.row('icmp')
    const settings = { bytes_to_send: icmp.number('payload_size') }
    return { type_id: ofProtocol(item, icmp, 'ping'), address: target, extended_settings: settings }
  },
  grpc: (_draft, item, module, target) => {
    const grpc = module.row('grpc')
    const settings = {
      service_name: grpc.text('service'),
      ...(grpc.flag('tls') ? { tls: 'tls' } : {}),
      ...tlsOf(item, grpc.row('tls_config')),
    }
    return { type_id: ofProtocol(item, grpc, 'grpc'), address: target, extended_settings: settings }
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
  const prober = probers[module.text('prober') ?? '']
  if (prober === undefined) return void item.leave(`Latarnik has no check for the prober ${module.text('prober')}.`)
  const target = prober(draft, item, module, probe.target)
  if (typeof target === 'string') return void item.leave(target)
  tellLeftOut(item, module)
  const timeout = readDuration(module.text('timeout') ?? '')
  const wait = timeout === null ? {} : target.type_id === 'ping' ? { reply_timeout: timeout } : { timeout }
  const labels = Object.entries(probe.labels.members).filter(([name]) => !name.startsWith('__') && name !== 'module')
  draft.service(item, {
    ...target,
    ...{ name: shown, interval: (readDuration(probe.interval) ?? 60_000) / 1000 },
    group_id: probe.job === null ? undefined : draft.group(probe.job),
    extended_settings: { ...wait, ...target.extended_settings },
    tags: labels.flatMap(([name, value]) => draft.tag(`${name}: ${String(value)}`) ?? []),
  })
}

export const blackboxExporter: Importer = {
  kind: 'blackbox-exporter',
  product: 'blackbox_exporter',
  files: 'blackbox.yml, with prometheus.yml and the files of its file_sd_configs',
  async read(inputs, draft) {
    const files: Files = { modules: new Map(), jobs: [], lists: new Map(), interval: '1m' }
    for (const input of inputs) await readInto(input, files)
    for (const probe of probesOf(draft, files)) readProbe(draft, probe, files)
    draft.note('Prometheus knew whom to tell by its alerts: give the groups contacts, or nobody hears of failures.')
  },
}
