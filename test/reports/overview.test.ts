import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import type { ReportDocument, ReportResult } from '../../src/reports/document.ts'
import { render } from '../../src/reports/render.ts'
import { viewOf } from '../../src/reports/rendering/report-view.ts'

const account = { id: 1, name: 'Alicja' }
const group = { id: 2, name: 'Sklepy' }
const day = { start_time: '2026-11-10T23:00:00Z', end_time: '2026-11-11T23:00:00Z' }

function serviceResult(id: number, failure: number, lastStatus: 'ok' | 'failure' | 'paused' | null): ReportResult {
  const states = { ok: 86_400 - failure, failure, paused: 0 }
  return {
    scope: { type: 'service', account, group, service: { id, name: `Usługa ${id}` } },
    average_response_time: id === 2 ? null : 123.4,
    service_level_summary: {
      ...states,
      availability_percent: Math.floor((states.ok / 86_400) * 100_000) / 1000,
      longest_failure: failure,
      failures_count: failure === 0 ? 0 : 1,
      corrections_count: 0,
      parts: [{ ...day, ...states }],
      failures: [],
      last_status: lastStatus,
    },
  }
}

const report = {
  ...{ id: 7, template_id: 3, name: 'Listopad', description: '', owner: account, summary: 'disabled' },
  ...{ from: day.start_time, to: day.end_time, created_at: '2026-11-12T00:05:00Z', time_zone: 'Europe/Warsaw' },
  ...{ language_id: 'en', archived_services: false, weekly_suspensions: [] },
  section_ids: ['service_level_summary', 'performance_by_hour'],
}

const documentOf = (results: readonly ReportResult[], languageId = 'en'): ReportDocument => ({
  report: { ...report, language_id: languageId },
  results,
})

test('all services stand side by side: state, availability, failures, longest failure, response time', () => {
  const { overview, labels } = viewOf(
    documentOf([serviceResult(1, 0, 'ok'), serviceResult(2, 3600, 'failure'), serviceResult(3, 0, null)]),
  )
  expect(labels.overviewColumns).toEqual([
    ...['Service', 'State at the end', 'Availability', 'Failures', 'Longest failure', 'Response time'],
  ])
  expect(overview?.map(({ name, cells }) => [name, ...cells])).toEqual([
    ['Usługa 1', 'Working', '100%', '0', '–', '123 ms'],
    ['Usługa 2', 'Failure', '95.833%', '1', '1 h', '–'],
    ['Usługa 3', 'no data', '100%', '0', '–', '123 ms'],
  ])
})

test('the pages of a service say of the longest failure what the table says', () => {
  const { points } = viewOf(documentOf([serviceResult(1, 0, 'ok'), serviceResult(2, 3600, 'failure')]))
  const said = points.map(({ level }) => level?.figures.find(({ label }) => label === 'Longest failure')?.value)
  expect(said).toEqual(['–', '1 h'])
})

test('one service alone, or a report without levels, has no such table', () => {
  expect(viewOf(documentOf([serviceResult(1, 0, 'ok')])).overview).toBeNull()
  const without = [1, 2].map((id) => ({ scope: serviceResult(id, 0, 'ok').scope }))
  expect(viewOf(documentOf(without)).overview).toBeNull()
})

test.each([8, 90])(
  'the first page after the title has the table of %i services, each line linked to its pages',
  async (count) => {
    const results = Array.from({ length: count }, (_, index) => serviceResult(index + 1, index * 60, 'ok'))
    const pdf = await render(Buffer.from(JSON.stringify(documentOf(results, 'pl'))), new AbortController().signal)
    const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
    const links: number[] = []
    let first = ''
    for (let number = 2; links.length < count; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      if (number === 2) first = items.map((item) => ('str' in item ? item.str : '')).join(' ')
      for (const { dest } of (await page.getAnnotations()) as { dest: [{ num: number; gen: number }] }[]) {
        links.push((await document.getPageIndex(dest[0])) + 1)
      }
    }
    expect(first.replaceAll('\u00a0', ' ')).toContain('Wszystkie usługi')
    expect(first).toContain('Usługa 1')
    const names = await Promise.all(
      links.slice(0, count).map(async (number) => {
        const { items } = await (await document.getPage(number)).getTextContent()
        return items.map((item) => ('str' in item ? item.str : '')).join(' ')
      }),
    )
    expect(names.map((text, index) => text.includes(`Usługa ${index + 1}`))).toEqual(names.map(() => true))
  },
)
