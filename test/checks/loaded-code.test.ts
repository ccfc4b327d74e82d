import { build, type Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'

const entry = 'src/sensor/process.ts'
let outputs: Metafile['outputs'] = {}

/** As `scripts/build.mjs` bundles the program, so that chunks are cut as they are there. */
beforeAll(async () => {
  const { metafile } = await build({
    ...({ entryPoints: [entry], outdir: 'dist', bundle: true, splitting: true, write: false, metafile: true } as const),
    ...({ format: 'esm', platform: 'node', target: 'node20', packages: 'external', logLevel: 'warning' } as const),
  })
  outputs = metafile.outputs
})

interface Loaded {
  readonly sources: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
  /** Outputs that are loaded later, or never. */
  readonly later: ReadonlySet<string>
}

/** Everything that comes with the output of an entry. */
function loadedWith(source: string): Loaded {
  const places = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === source)
  const found = { sources: new Set<string>(), packages: new Set<string>(), later: new Set<string>() }
  for (const place of places) {
    for (const path of Object.keys(outputs[place]?.inputs ?? {})) found.sources.add(path)
    for (const { path, kind, external } of outputs[place]?.imports ?? []) {
      if (kind === 'dynamic-import') found.later.add(path)
      else if (external === true) found.packages.add(path)
      else if (!places.includes(path)) places.push(path)
    }
  }
  return found
}

const isFunction = (path: string): boolean => /^src\/checks\/[^/]+\/check\.ts$/.test(path)

/** The functions of checks, by what the entry loads later. */
function functions(): readonly string[] {
  return [...loadedWith(entry).later].flatMap((path) => outputs[path]?.entryPoint ?? []).filter(isFunction)
}

test('a station at rest has loaded no library of a check, and the question to name servers alone', () => {
  const { sources, packages } = loadedWith(entry)
  // Diagnoses ask name servers, too.
  expect([...sources].filter(isFunction)).toEqual(['src/checks/dns/check.ts'])
  for (const name of ['ws', 'playwright-core', 'koffi', 'tough-cookie', 'iconv-lite', '@xmldom/xmldom', 'pg']) {
    expect(packages, name).not.toContain(name)
  }
})

test('a check brings its own function and no other', () => {
  expect(functions().length).toBeGreaterThan(20)
  const atRest = loadedWith(entry).sources
  for (const one of functions()) {
    const more = [...loadedWith(one).sources].filter((path) => isFunction(path) && !atRest.has(path))
    expect(more, one).toEqual(atRest.has(one) ? [] : [one])
  }
})

test('the library of a type is loaded by its first check alone', () => {
  const [atRest, texts] = [loadedWith(entry).packages, ['html-encoding-sniffer', 'iconv-lite']]
  const own = functions().map((path) => {
    const more = [...loadedWith(path).packages].filter((name) => !atRest.has(name) && !name.startsWith('node:'))
    return [path.split('/')[2], more.toSorted()] as const
  })
  // The driver of browsers is loaded by their first start.
  expect(Object.fromEntries(own.filter(([, packages]) => packages.length > 0))).toEqual({
    http: [...texts, 'tough-cookie'],
    page: texts,
    scenario: texts,
    websocket: ['ws'],
  })
})
