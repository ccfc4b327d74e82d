import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { assemblies, mayImport } from './support/import-table.ts'

/** Pure packages that the rules may stand on. */
const domainPackages = ['temporal-polyfill', 're2js', 'croner', 'zod', 'tldts']

const mayComposeSql =
  /^src\/((database|outbox|service-state|history|accountability|rest|auth|channels|resources|monitoring|notifications|reports|cli|demo)\/|program\/first-start\.ts$)/

/** Tables of data, or generated, where a limit on lines would only cut a list in two. */
const catalogues: readonly string[] = [
  'src/wording/en/error-types.ts',
  'src/wording/pl/error-types.ts',
  'client/schema.d.ts',
]
const maximumLines = 400
/** Modules of one folder: more are no table of contents any more. Migrations only ever grow. */
const maximumModules = 60
const isCatalogue = (folder: string) => folder === 'src/database/migrations'

interface Source {
  readonly path: string
  readonly text: string
  /** Without comments. */
  readonly code: string
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function sourcesOf(folder: string): Source[] {
  return filesOf(folder).map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, code: text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '') }
  })
}

const sources = sourcesOf('src')
const product = sources.filter((source) => !source.path.endsWith('.test.ts'))
const everything = [...sources, ...['client', 'test', 'scripts', 'bench', 'web'].filter(isThere).flatMap(sourcesOf)]

function isThere(folder: string): boolean {
  return readdirSync('.').includes(folder)
}

const importStatement =
  /^\s*(?:import|export)\s[^'"`;()]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm

function importsOf(source: Source): string[] {
  return [...source.code.matchAll(importStatement)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** The files that a file imports. */
function placesOf(source: Source): string[] {
  const near = importsOf(source).filter((target) => target.startsWith('.'))
  return near.map((target) => normalize(join(dirname(source.path), target)))
}

function offenders(candidates: readonly Source[], isWrong: (source: Source) => boolean): string[] {
  return candidates.filter(isWrong).map((source) => source.path)
}

/** `src/rest/sql.ts` → `rest`; undefined for the files of src itself. */
function folderOf(path: string): string | undefined {
  const parts = path.split('/')
  return parts.length > 2 ? parts[1] : undefined
}

function within(folder: string): Source[] {
  return product.filter((source) => folderOf(source.path) === folder)
}

test('every folder of src stands in the import table', () => {
  const folders = new Set(sources.map((source) => folderOf(source.path)).filter((folder) => folder !== undefined))
  expect([...folders].filter((folder) => mayImport[folder] === undefined && !assemblies.includes(folder))).toEqual([])
})

test('a folder has few enough modules to be read like a table of contents', () => {
  const folders = product.map(({ path }) => dirname(path)).filter((folder) => !isCatalogue(folder))
  const sizes = [...new Set(folders)].map((one) => ({ one, modules: folders.filter((other) => other === one).length }))
  expect(sizes.length).toBeGreaterThan(50)
  expect(sizes.filter(({ modules }) => modules > maximumModules)).toEqual([])
})

test.each(Object.entries(mayImport))('%s imports only what it may: %j', (folder, allowed) => {
  const wrong = within(folder).flatMap((source) =>
    importsOf(source)
      .filter((target) => target.startsWith('.'))
      .map((target) => normalize(join(dirname(source.path), target)).replace(/^src\//, ''))
      .filter((target) => ![folder, ...allowed].some((place) => target === place || target.startsWith(`${place}/`)))
      .map((target) => `${source.path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

/** A request carries the registry, and what a resource declares is told of requests: their types need each other. */
const neededBack: readonly (readonly [string, string])[] = [['src/rest/call.ts', 'src/rest/declare.ts']]

/** The imports of each file of src, among the files of src. */
const graph = new Map(
  product.map((source) => {
    const targets = importsOf(source).map((target) => normalize(join(dirname(source.path), target)))
    return [source.path, targets.filter((target) => !isNeededBack(source.path, target))] as const
  }),
)

function isNeededBack(path: string, target: string): boolean {
  return neededBack.some(([from, to]) => from === path && to === target)
}

/**
 * Removes files that import nothing that is left. From any of the others the way leads into a circle, which is
 * returned.
 */
function findCircle(): readonly string[] {
  const left = new Map(graph)
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [path, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(path)
  }
  const way: string[] = []
  let at = [...left.keys()][0]
  while (at !== undefined && !way.includes(at)) {
    way.push(at)
    at = left.get(at)?.find((target) => left.has(target))
  }
  return at === undefined ? [] : [...way.slice(way.indexOf(at)), at]
}

test('no file needs one that needs it, not even for a type', () => {
  expect(findCircle()).toEqual([])
})

/** All files that a file needs, in the end. */
function neededBy(path: string): ReadonlySet<string> {
  const needed = new Set<string>()
  const left = [path]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const target of graph.get(at) ?? []) {
      if (needed.has(target)) continue
      needed.add(target)
      left.push(target)
    }
  }
  return needed
}

test('what can be checked is data for all but stations: the API loads nothing that checks', () => {
  for (const start of ['src/resources/index.ts', 'src/checks/index.ts']) {
    const needed = [...neededBy(start)]
    expect(needed.length).toBeGreaterThan(10)
    expect(needed.filter((path) => /^src\/(sensor\/|checks\/(.*\/check|functions)\.ts)/.test(path))).toEqual([])
  }
})

test('the rules stand on nothing but pure packages', () => {
  const wrong = within('domain').flatMap((source) =>
    importsOf(source)
      .filter((target) => !target.startsWith('.') && !domainPackages.includes(target))
      .map((target) => `${source.path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('the rules read no clock, throw no dice and do no I/O', () => {
  const impure =
    /\b(Date\s*\(|Date\.now|new Date\b|Math\.random|process\.|performance\.|console\.|fetch\(|set(Timeout|Interval|Immediate)\()/
  expect(offenders(within('domain'), (source) => impure.test(source.code))).toEqual([])
})

test('time comes from the clock that was handed in, also in statements', () => {
  const own = /\bDate\.now\(|new Date\(\s*\)|(?<!\.)\b(now\(\)|current_timestamp|clock_timestamp\(\))(?=[^'"]*`)/
  const places = ['auth', 'channels', 'rest', 'resources', 'monitoring', 'notifications', 'reports'].flatMap(within)
  expect(offenders(places, (source) => own.test(source.code))).toEqual([])
})

test('the console is a client of the API: it imports nothing of the program, and the program nothing of it', () => {
  const ofConsole = (path: string) => path.startsWith('web/')
  const crossing = everything.filter((source) =>
    placesOf(source)
      // The client and the published document of the API belong to nobody alone.
      .filter((place) => !place.startsWith('client/') && place !== 'docs/openapi.json')
      .some((place) => ofConsole(place) !== ofConsole(source.path)),
  )
  expect(everything.some(({ path }) => ofConsole(path))).toBe(true)
  expect(crossing.map(({ path }) => path)).toEqual([])
})

test('the client of the API stands on nothing: other programs install it alone', () => {
  const client = everything.filter(({ path }) => path.startsWith('client/'))
  expect(client.length).toBeGreaterThan(5)
  const foreign = client.filter((source) =>
    importsOf(source).some((target) => !normalize(join(dirname(source.path), target)).startsWith('client/')),
  )
  expect(foreign.map(({ path }) => path)).toEqual([])
})

test('screens of the console do not import each other, but for what one shows of the other', () => {
  const screenOf = (path: string) => /^web\/screens\/([^/]+)\//.exec(path)?.[1]
  const wrong = everything.flatMap((source) => {
    const own = screenOf(source.path)
    if (own === undefined) return []
    return importsOf(source)
      .map((target) => screenOf(normalize(join(dirname(source.path), target))))
      .filter((other) => other !== undefined && other !== own)
      .map((other) => `${own} imports ${other}`)
  })
  expect([...new Set(wrong)]).toEqual(['failure imports service'])
})

test('the model of the simulation knows nothing of the program', () => {
  const model = everything.filter((source) => source.path.startsWith('test/simulation/model/'))
  const places = (source: Source) => importsOf(source).map((target) => normalize(join(dirname(source.path), target)))
  expect(model).not.toEqual([])
  expect(offenders(model, (source) => places(source).some((place) => !place.startsWith('test/simulation/')))).toEqual(
    [],
  )
})

test('SQL is composed only where data is kept or asked for', () => {
  const wrong = product.filter((source) =>
    importsOf(source).some((target) => ['sql-template-tag', 'pg'].includes(target)),
  )
  expect(offenders(wrong, (source) => !mayComposeSql.test(source.path))).toEqual([])
})

test('the database’s driver is known to src/database alone', () => {
  const wrong = product.filter((source) => importsOf(source).includes('pg'))
  expect(offenders(wrong, (source) => folderOf(source.path) !== 'database')).toEqual([])
})

test(`no file is longer than ${maximumLines} lines, catalogues excepted`, () => {
  const long = everything.filter((source) => source.text.split('\n').length > maximumLines + 1)
  expect(offenders(long, (source) => !catalogues.includes(source.path))).toEqual([])
})

test('the list of catalogues names only long files', () => {
  const long = everything
    .filter((source) => source.text.split('\n').length > maximumLines + 1)
    .map((source) => source.path)
  expect(catalogues.filter((path) => !long.includes(path))).toEqual([])
})

/** Modules that can connect to others. */
const network =
  /^(node:)?(net|tls|https?|http2|dgram|dns|dns\/promises)$|^(undici|ws|playwright-core|koffi|nats|smpp)$|^@aws-sdk\/|^@nats-io\/|^nodemailer\/lib\/smtp-connection$/
/** Parts of these modules that only read or describe. */
const harmless = /^(isIP|isIPv4|isIPv6|BlockList|METHODS|STATUS_CODES|validateHeaderName|validateHeaderValue)$/

type AddressOf =
  | 'user, screened'
  | 'socket of dial.ts'
  | 'browser behind its proxy'
  | 'operator'
  | 'listens'
  | 'text for a browser'

/**
 * Every file that dials or listens, and the source of its address. A user's address is dialled through
 * `outgoing/dial.ts` alone.
 */
const speakers: Readonly<Record<string, AddressOf>> = {
  'src/outgoing/dial.ts': 'user, screened',
  'src/outgoing/dns-client.ts': 'user, screened',
  'src/outgoing/datagram.ts': 'user, screened',
  'src/outgoing/dns-tcp.ts': 'operator',
  'src/sensor/ping/echo-socket.ts': 'user, screened',
  'src/sensor/diagnostics/hop-socket.ts': 'user, screened',
  'src/sensor/tls.ts': 'socket of dial.ts',
  'src/sensor/peer-certificate.ts': 'socket of dial.ts',
  'src/sensor/http/exchange.ts': 'socket of dial.ts',
  'src/sensor/http/exchange-http2.ts': 'socket of dial.ts',
  'src/checks/websocket/check.ts': 'socket of dial.ts',
  'src/checks/grpc/exchange.ts': 'socket of dial.ts',
  'src/sensor/browser/proxy.ts': 'listens',
  'src/sensor/browser/launch.ts': 'browser behind its proxy',
  'src/sensor/browser/context-options.ts': 'browser behind its proxy',
  'src/sensor/far/core-socket.ts': 'operator',
  'src/sensor/far/core-connection.ts': 'operator',
  'src/sensor/far/serve-stations.ts': 'listens',
  'src/assistants/serve.ts': 'listens',
  'src/demo/targets/others.ts': 'listens',
  'src/demo/targets/web.ts': 'listens',
  'src/demo/targets/protocols.ts': 'listens',
  'src/demo/targets/measured.ts': 'listens',
  'src/demo/targets/registry.ts': 'listens',
  'src/demo/message.ts': 'operator',
  'src/cli/examine/broker.ts': 'operator',
  'src/cli/examine/far-core.ts': 'operator',
  'src/cli/examine/names.ts': 'operator',
  'src/cli/remote.ts': 'operator',
  'src/program/listen.ts': 'listens',
  'src/program/running-api.ts': 'operator',
  'src/telemetry/listener.ts': 'listens',
  'src/status-pages/subscribing/browser.ts': 'text for a browser',
  'src/database/artifacts/s3.ts': 'operator',
  'src/database/artifacts/s3-client.ts': 'operator',
  'src/message-bus/nats-carrier.ts': 'operator',
  'src/outgoing/exchange.ts': 'operator',
  'src/channels/sms/smpp-bond.ts': 'operator',
  'src/channels/email/smtp.ts': 'operator',
  'src/channels/jabber/stream.ts': 'operator',
}

/** Names of values, not of types, that a file takes from modules of the network; a dynamic import takes all. */
function networkOf({ code }: Source): string[] {
  const named = [...code.matchAll(/^\s*import\s+(?!type\b)([^'"`;]*?)\s+from\s+'([^']+)'/gm)].flatMap(
    ([, names = '', module = '']) =>
      network.test(module)
        ? names
            .split(/[{},]/)
            .map((name) => name.trim())
            .filter((name) => name !== '' && !/^type\b/.test(name))
        : [],
  )
  const loaded = [...code.matchAll(/\bimport\(\s*'([^']+)'|\b(?:require|import\.meta\.url\))\(\s*'([^']+)'/g)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((module) => network.test(module))
  const fetched = ['fetch', 'createClient'].filter((name) => new RegExp(`\\b${name}\\(`).test(code))
  return [...named.filter((name) => !harmless.test(name)), ...loaded, ...fetched]
}

test('what dials or listens is known, and says whose address it takes', () => {
  const found = product.filter((source) => networkOf(source).length > 0).map(({ path }) => path)
  expect(found.toSorted()).toEqual(Object.keys(speakers).toSorted())
})

/** Each lists what a folder has: a new one of the kind is its file and its line there. */
const indexes: readonly string[] = [
  ...['src/checks/index.ts', 'src/channels/index.ts', 'src/resources/index.ts', 'src/importers/index.ts'],
]

test('files are named after what they hold', () => {
  const vague = /^(utils?|helpers?|common|shared|misc|manager|.*[-.](utils?|helpers?|manager|service))\.(tsx?|mjs)$/
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(tsx?|mjs)$/
  const wrong = everything.filter((source) => {
    const name = basename(source.path)
    return vague.test(name) || !kebab.test(name) || (name === 'index.ts' && !indexes.includes(source.path))
  })
  expect(wrong.map((source) => source.path)).toEqual([])
})

test('no value escapes its type', () => {
  expect(
    offenders(everything, (source) => /\bas (never|any)\b|@ts-(ignore|nocheck|expect-error)/.test(source.code)),
  ).toEqual([])
})

/** Nobody hears of such an error. */
const swallowed =
  /\.catch\(\(\) => (null|undefined|false|\{\s*\}|\[\]|''|'\[\]'|Buffer\.alloc\(0\))\)|catch( \(\w+\))? \{\s*\}|\.on\('error', \(\) => (\{\s*\}|undefined)\)/

/** The comment may stand above the whole statement that goes on in the line. */
function hasReason(lines: readonly string[], at: number): boolean {
  if (/\s\/\/ /.test(lines[at] ?? '')) return true
  for (let above = at - 1; above >= Math.max(0, at - 3); above -= 1) {
    const line = (lines[above] ?? '').trim()
    if (line.startsWith('//') || line.endsWith('*/')) return true
  }
  return false
}

test('an error that nobody hears of has its reason beside it', () => {
  const silent = product.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, at) =>
      swallowed.test(line) && !hasReason(lines, at) ? [`${path}:${at + 1} ${line.trim()}`] : [],
    )
  })
  expect(silent).toEqual([])
})
