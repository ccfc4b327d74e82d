import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type MetricDefinition, metricCatalogue } from '../../src/telemetry/catalogue.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'

const definitions = Object.entries<MetricDefinition>(metricCatalogue)
/** Metrics that a scraper itself adds. */
const fromScraper = ['up']
let known: ReadonlyMap<string, readonly string[]>

beforeAll(() => {
  const library = new Metrics().names.map((name): [string, readonly string[]] => [name, []])
  const own = definitions.flatMap(([name, { type, labels }]): [string, readonly string[]][] =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_count`, labels],
          [`${name}_sum`, labels],
        ]
      : [[name, labels]],
  )
  known = new Map([...library, ...own])
})

test('names say their unit as Prometheus wants it', () => {
  for (const [name, { type }] of definitions) {
    expect(name).toMatch(/^latarnik_[a-z_]+$/)
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  }
})

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const functions = /\b(sum|max|min|avg|rate|increase|histogram_quantile|time|by|and|or|unless)\b/

/** `name{a="b"}` → name and label names. */
function selectorsOf(expression: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const bare = expression.replaceAll(/\bby \([^)]*\)/g, '')
  return [...bare.matchAll(/\b([a-z][a-z0-9_]+)(?:\{([^}]*)\})?/g)]
    .filter(([, name = '']) => !functions.test(name) && !/^\d/.test(name) && /[a-z]_[a-z]|^up$/.test(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }))
}

test.each(rules)('the alert $alert speaks of metrics and labels that there are', ({ expr, labels, annotations }) => {
  const selectors = selectorsOf(expr)
  expect(selectors).not.toEqual([])
  for (const { name, labels: used } of selectors) {
    expect([...known.keys(), ...fromScraper]).toContain(name)
    const allowed = [...(known.get(name) ?? []), 'job', 'instance']
    expect([name, used.filter((label) => !allowed.includes(label))]).toEqual([name, []])
  }
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  const all = selectors.flatMap(({ name }) => known.get(name) ?? []).concat('job', 'instance')
  expect(grouped.filter((label) => !all.includes(label))).toEqual([])
  const told = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
  expect(told.filter((label) => !(grouped.length > 0 ? grouped : all).includes(label))).toEqual([])
  expect(['critical', 'warning']).toContain(labels.severity)
})

test('alerts have names of their own, and balanced expressions', () => {
  const names = rules.map(({ alert }) => alert)
  expect(new Set(names).size).toBe(names.length)
  for (const { expr, for: duration = '1m' } of rules) {
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair] as [string, string])) {
      expect(expr.split(open).length).toBe(expr.split(close).length)
    }
    expect(duration).toMatch(/^\d+[smh]$/)
  }
})

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const dashboard = JSON.parse(readFileSync('deploy/grafana/latarnik.json', 'utf8')) as {
  readonly panels: readonly Panel[]
}
const drawn = dashboard.panels.filter(({ type }) => type !== 'row')

test.each(drawn)('the panel “$title” draws metrics and labels that there are', ({ targets = [] }) => {
  expect(targets).not.toEqual([])
  for (const { expr, legendFormat } of targets) {
    const selectors = selectorsOf(expr)
    expect(selectors).not.toEqual([])
    for (const { name } of selectors) expect([...known.keys()]).toContain(name)
    const all = selectors.flatMap(({ name }) => known.get(name) ?? []).concat('job', 'instance')
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    expect(grouped.filter((label) => !all.includes(label))).toEqual([])
    const told = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect(told.filter((label) => !(grouped.length > 0 ? grouped : all).includes(label))).toEqual([])
    expect(expr.split('(').length).toBe(expr.split(')').length)
  }
})

test('panels have numbers of their own and lie on no other', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const [place, { gridPos: one }] of dashboard.panels.entries()) {
    expect(one.x + one.w).toBeLessThanOrEqual(24)
    for (const { gridPos: other } of dashboard.panels.slice(place + 1)) {
      const isApart =
        one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y || other.y + other.h <= one.y
      expect([one, other, isApart]).toEqual([one, other, true])
    }
  }
})
