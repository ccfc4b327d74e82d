import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import type { ReportDocument, ReportResult } from '../../src/reports/document.ts'
import { render } from '../../src/reports/render.ts'
import { viewOf } from '../../src/reports/rendering/report-view.ts'

const account = { id: 1, name: 'Alicja Łęcka' }
const group = { id: 2, name: 'Sklepy' }
const hour = 3600

function point(scope: ReportResult['scope'], factor: number): ReportResult {
  const level = { ok: 40 * hour * factor, failure: 2 * hour * factor, paused: 6 * hour * factor }
  const day = (date: number) => `2026-11-${date}T23:00:00Z`
  return {
    scope,
    checks_summary: { ok: 12345 * factor, error: 67 * factor, unknown: 8 * factor },
    service_level_summary: {
      ...level,
      availability_percent: 95.238,
      longest_failure: 2 * hour * factor,
      failures_count: factor,
      corrections_count: 3,
      parts: [10, 11].map((date) => ({
        start_time: day(date),
        end_time: day(date + 1),
        ok: level.ok / 2,
        failure: level.failure / 2,
        paused: level.paused / 2,
      })),
      ...(scope.type === 'service'
        ? { failures: [{ start_time: '2026-11-11T10:00:00Z', end_time: '2026-11-11T12:00:00Z', seconds: 2 * hour }] }
        : {}),
    },
    performance_by_hour: Array.from({ length: 24 }, (_, index) => ({
      hour: index,
      average: index === 3 ? null : 100.4 + index * factor,
      minimum: 1,
      maximum: 999,
      checks: 10,
    })),
    performance_by_week_day: Array.from({ length: 7 }, (_, index) => ({
      day_of_week: index + 1,
      average: 500 + index,
      minimum: 1,
      maximum: 999,
      checks: 10,
    })),
  }
}

const minute = (day_of_week: number, at: number) => ({ day_of_week, hour: at, minute: 0 })

function documentOf(languageId: string, results: readonly ReportResult[]): ReportDocument {
  return {
    report: {
      ...{
        id: 7,
        template_id: 3,
        name: 'Listopad #strong[*tak*] $x$',
        description: 'Zażółć gęślą jaźń',
        owner: account,
      },
      ...{ from: '2026-11-10T23:00:00Z', to: '2026-11-12T23:00:00Z', created_at: '2026-11-13T00:05:00Z' },
      ...{ time_zone: 'Europe/Warsaw', language_id: languageId, summary: 'enabled', archived_services: false },
      section_ids: ['checks_summary', 'service_level_summary', 'performance_by_hour', 'performance_by_week_day'],
      weekly_suspensions: [{ start_minute: minute(6, 22), end_minute: minute(7, 6) }],
    },
    results,
  }
}

const service = { id: 5, name: 'Sklep' }
const results = [point({ type: 'summary' }, 2), point({ type: 'service', service, group, account }, 1)]

async function rendered(document: ReportDocument) {
  return render(Buffer.from(JSON.stringify(document)), new AbortController().signal)
}

async function read(pdf: Uint8Array) {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages: string[] = []
  const trees: StructureNode[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str.trimEnd() : '')).join('\n'))
    trees.push((await page.getStructTree()) as StructureNode)
  }
  const { info } = await document.getMetadata()
  const { IsTagged } = { IsTagged: await document.getMarkInfo() }
  return {
    pages: pages.map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' ')),
    info: info as Record<string, unknown>,
    mark: IsTagged,
    /** The elements of the structure of each page, in their order. */
    elements: trees.map(elementsOf),
  }
}

/** All numbers of a point in their Polish form; the range has a Wednesday and a Thursday. Other tests cover times. */
function numbersOf(point: ReportResult | undefined): string[] {
  const level = point?.service_level_summary
  const { ok = 0, error = 0, unknown = 0 } = point?.checks_summary ?? {}
  const averages = [...(point?.performance_by_hour ?? []), ...(point?.performance_by_week_day ?? []).slice(2, 4)]
    .map(({ average }) => average)
    .filter((average) => average !== null)
  const counts = [ok, error, unknown, level?.failures_count ?? 0, level?.corrections_count ?? 0]
  const whole = [...counts, ...averages.map((average) => Math.round(average))]
  const grouped = whole.map((number) => String(number).replace(/(?<=\d)(?=(\d{3})+$)/g, ' '))
  return [...grouped, `${String(level?.availability_percent).replace('.', ',')} %`]
}

interface StructureNode {
  readonly role?: string
  readonly alt?: string
  readonly children?: readonly StructureNode[]
}

function elementsOf({ role = '', alt, children = [] }: StructureNode): { role: string; alt?: string | undefined }[] {
  return [{ role, alt }, ...children.flatMap(elementsOf)]
}

test.each([
  ['en', 'selects nothing, so there is nothing to report'],
  ['pl', 'niczego nie wybiera'],
])('a report about nothing says so, in %s', (languageId, words) => {
  const said = (about: readonly ReportResult[]) => JSON.stringify(viewOf(documentOf(languageId, about)).rules)
  expect(said(results.slice(0, 1))).toContain(words)
  expect(said(results)).not.toContain(words)
})

/** The document of one service over a range, of which it failed for some seconds. */
function shortDocument(languageId: string, range: { from: string; to: string }, failure: number): ReportDocument {
  const [, shop] = results
  const { report } = documentOf(languageId, [])
  const level = { ...point({ type: 'service', service, group, account }, 1).service_level_summary }
  const seconds = (Date.parse(range.to) - Date.parse(range.from)) / 1000
  const states = { ok: seconds - failure, failure, paused: 0 }
  const parts = [{ start_time: range.from, end_time: range.to, ...states }]
  const summary = { ...level, ...states, parts } as ReportResult['service_level_summary']
  return { report: { ...report, ...range }, results: [{ ...shop, service_level_summary: summary } as ReportResult] }
}

const fewHours = { from: '2026-11-11T21:30:00Z', to: '2026-11-12T00:10:00Z' }

test.each([
  ['en', 'Short failures are drawn larger than they were: at least 12% of the height of the picture.'],
  ['pl', 'Krótkie awarie narysowano większe, niż były: co najmniej 12 % wysokości rysunku.'],
])('a failure that is drawn larger than it was is told of below the picture, in %s', async (languageId, words) => {
  const remarkOf = (failure: number) => viewOf(shortDocument(languageId, fewHours, failure)).points[0]?.level?.remark
  expect([remarkOf(0), remarkOf(2), remarkOf(9000)]).toEqual([null, words, null])
  const { pages } = await read(await rendered(shortDocument(languageId, fewHours, 2)))
  expect(pages.at(-1)?.replaceAll('\n', ' ')).toContain(words)
})

test('an old name whose signs would turn the order of reading around is printed without them', async () => {
  const named = point({ type: 'service', service: { id: 6, name: 'kod\u202egpj.exe' }, group, account }, 1)
  const document = documentOf('pl', [named])
  const { pages, info } = await read(await rendered({ ...document, report: { ...document.report, name: 'a\u202eb' } }))
  expect(pages.join('\n')).toContain('kodgpj.exe')
  expect(info['Title']).toBe('ab')
})

test('a range of hours shows its hours and days in their order; one of weeks shows all', () => {
  const labelsOf = (document: ReportDocument) =>
    viewOf(document).points[0]?.charts.map(({ bars }) => bars.map(({ label }) => label))
  expect(labelsOf(shortDocument('en', fewHours, 0))).toEqual([
    ['22', '23', '0', '1'],
    ['Wed', 'Thu'],
  ])
  const weeks = { from: '2026-10-11T21:30:00Z', to: '2026-11-12T00:10:00Z' }
  expect(labelsOf(shortDocument('en', weeks, 0))).toEqual([
    Array.from({ length: 24 }, (_, index) => String(index)),
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  ])
})

describe('the document', () => {
  test('says in Polish what the data say: the same numbers, moments in the zone of the owner', async () => {
    const { pages, info, mark } = await read(await rendered(documentOf('pl', results)))
    const [title = '', contents = '', summary = '', shop = ''] = pages
    expect(info).toMatchObject({ Title: 'Listopad #strong[*tak*] $x$', Author: account.name, Language: 'pl' })
    expect(mark).toMatchObject({ Marked: true })
    for (const text of ['Listopad #strong[*tak*] $x$', 'Zażółć gęślą jaźń', '2026-11-11 00:00', 'Alicja Łęcka']) {
      expect(title).toContain(text)
    }
    for (const text of ['Spis treści', 'Zasady', 'Podsumowanie', 'Sklep']) expect(contents).toContain(text)
    for (const text of ['Europe/Warsaw', 'sob. 22:00 – niedz. 06:00', 'poprawki: 3']) expect(contents).toContain(text)
    for (const text of ['24 690', '134', '3 d 8 h', '95,238 %']) expect(summary).toContain(text)
    for (const text of ['12 345', '67', '1 d 16 h', '2026-11-11 11:00:00', '2026-11-11 13:00:00', '2 h']) {
      expect(shop).toContain(text)
    }
    const averages = results[1]?.performance_by_hour?.map(({ average }) => average) ?? []
    expect(averages.some((average) => average !== null)).toBe(true)
    for (const average of averages) if (average !== null) expect(shop).toContain(String(Math.round(average)))
    for (const [index, page] of [summary, shop].entries()) {
      for (const number of numbersOf(results[index])) expect(page).toContain(number)
    }
    expect(pages.map((text, index) => text.includes(`Strona ${index + 1} / 4`))).toEqual(pages.map(() => true))
  })

  test('is told in order by who cannot see it: charts in words, tables by their headings, contents by links', async () => {
    const { elements } = await read(await rendered(documentOf('pl', results)))
    const [, contents = [], , shop = []] = elements
    const roles = (page: typeof shop) => page.map(({ role }) => role)
    expect(roles(contents).filter((role) => role === 'Link')).toHaveLength(3)
    expect(roles(shop).filter((role) => ['H1', 'H2', 'Figure', 'TH', 'TD'].includes(role))).toEqual([
      ...['H1', 'H2', 'Figure', 'H2', 'H2', 'Figure', 'H2', 'Figure', 'H2'],
      ...['TH', 'TH', 'TH', 'TD', 'TD', 'TD'],
    ])
    const [course, hours, days] = shop.filter(({ role }) => role === 'Figure').map(({ alt = '' }) => alt)
    expect(course).toBe('Stany w czasie: Działa 1 d 16 h, Awaria 2 h, Bez monitorowania 6 h')
    expect(hours).toContain('2: 102, 3: brak danych, 4: 104')
    expect(days).toMatch(/: śr\.: 502, czw\.: 503$/)
  })

  test('goes on over pages, whatever names and numbers there are', async () => {
    const [, second] = results
    const failures = Array.from({ length: 100 }, (_, index) => ({
      ...{ start_time: '2026-11-11T10:00:00Z', end_time: '2026-11-11T10:00:07Z', seconds: 1000 + index },
    }))
    const scope = { ...second?.scope, type: 'service' as const, service: { id: 5, name: 'x'.repeat(200) } }
    const level = { ...second?.service_level_summary, failures_count: 250, failures }
    const long = { ...second, scope, service_level_summary: level } as ReportResult
    const many = Array.from({ length: 70 }, () => long)
    const document = documentOf('pl', many)
    const { pages } = await read(
      await rendered({ ...document, report: { ...document.report, description: 'słowo '.repeat(800) } }),
    )
    const text = pages.join('\n')
    expect(text.match(/Wymieniono 100 najdłuższych z 250\./g)).toHaveLength(70)
    // In the table of all services, and in the contents.
    expect(text.match(/x{20,}…/g)).toHaveLength(140)
    expect(text.match(/słowo/g)).toHaveLength(800)
    expect(text.match(/18 min 19 s/g)).toHaveLength(70)
    for (const [index, page] of pages.entries()) expect(page).toContain(`Strona ${index + 1} / ${pages.length}`)
    const numbers = [...text.matchAll(/x{20,}…\n(\d+)/g)].map(([, number]) => Number(number))
    for (const number of numbers) expect(pages[number - 1]).toContain('Usługa · Sklepy')
  }, 120_000)

  test('speaks English too, and shows only what was asked for', async () => {
    const [, second] = results
    const checks = [
      { scope: second?.scope ?? { type: 'summary' as const }, checks_summary: { ok: 1, error: 2, unknown: 3 } },
    ]
    const { pages, info } = await read(await rendered(documentOf('en', checks)))
    expect(info['Language']).toBe('en')
    expect(pages[1]).toContain('Contents')
    expect(pages.at(-1)).toContain('Unknown')
    for (const text of ['Availability', 'Response time', 'States over time']) expect(pages.at(-1)).not.toContain(text)
  })

  test('of nothing has its first pages', async () => {
    expect((await read(await rendered(documentOf('pl', [])))).pages).toHaveLength(2)
  })

  test('is the same for the same data', async () => {
    const [one, other] = [await rendered(documentOf('pl', results)), await rendered(documentOf('pl', results))]
    expect(Buffer.from(one).equals(other)).toBe(true)
  })
})

test('data that make no document are told, with the reason', async () => {
  await expect(render(Buffer.from('{"report":'), new AbortController().signal)).rejects.toThrow(
    /could not be made \(1\)/,
  )
})

test('a document for which nobody waits any more is not finished', async () => {
  const nobody = new AbortController()
  const rendering = render(Buffer.from(JSON.stringify(documentOf('pl', results))), nobody.signal)
  nobody.abort()
  await expect(rendering).rejects.toThrow()
})
