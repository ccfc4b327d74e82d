import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serviceMetricNames } from '../../src/domain/service-level/open-metrics.ts'

interface Panel {
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

/** The dashboard of services asks for metrics and labels that there are, and no panel hides another. */
const dashboard = JSON.parse(readFileSync('deploy/grafana/latarnik-services.json', 'utf8')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
}
const labels = ['service_id', 'service', 'type', 'group_id']

test.each(dashboard.panels)('the panel “$title” draws what is offered', ({ targets }) => {
  expect(targets).not.toEqual([])
  for (const { expr, legendFormat } of targets) {
    const names = [...expr.matchAll(/latarnik_\w+/g)].map(([name]) => name)
    expect(names).not.toEqual([])
    expect(names.filter((name) => !serviceMetricNames.includes(name))).toEqual([])
    const asked = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label)
    const told = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect([...asked, ...told].filter((label) => !labels.includes(label))).toEqual([])
    expect(expr.split('(').length).toBe(expr.split(')').length)
  }
})

test('its variables choose by labels that there are', () => {
  const queries = dashboard.templating.list.flatMap(({ query }) => /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [])
  expect(queries.length).toBe(6)
  for (const word of queries.filter((_, place) => place % 3 !== 0)) {
    expect([...serviceMetricNames, ...labels]).toContain(word)
  }
})

test('panels lie on no other', () => {
  for (const [place, { gridPos: one }] of dashboard.panels.entries()) {
    expect(one.x + one.w).toBeLessThanOrEqual(24)
    for (const { gridPos: other } of dashboard.panels.slice(place + 1)) {
      const isApart =
        one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y || other.y + other.h <= one.y
      expect([one, other, isApart]).toEqual([one, other, true])
    }
  }
})
