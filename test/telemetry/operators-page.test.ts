import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type MetricDefinition, metricCatalogue } from '../../src/telemetry/catalogue.ts'

/** The facts in an operator's night-time reading must be true. */
const page = readFileSync('docs/operations.md', 'utf8')
const alerts = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
const rules = alerts.groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(readFileSync('deploy/grafana/latarnik.json', 'utf8')) as {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

/** Rows of the tables below a heading, their first cells. */
function firstCells(heading: string): readonly string[] {
  const [, rest = ''] = page.split(`\n${heading}\n`)
  const [section = ''] = rest.split(/\n##/)
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ')[0]?.slice(2) ?? '')
}

test('the operator’s page says of each alert, in their order, what to do', () => {
  expect(firstCells('### When an alert rings')).toEqual(rules.map(({ alert }) => `\`${alert}\``))
})

test('each line of the log that the operator’s page explains is one that the program writes', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const source = sources.map((path) => readFileSync(`src/${path}`, 'utf8')).join('\n')
  const lines = firstCells('### What the log says').flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)])
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.map(([, line = '']) => line).filter((line) => !source.includes(line))).toEqual([])
})

/** `name{a="b|c"}` → what `a` has to be of. A class of status is told by one of its kind. */
const matchers = expressions.flatMap((expr) =>
  [...expr.matchAll(/\b(latarnik_[a-z_]+)\{([^}]*)\}/g)].flatMap(([, name = '', inner = '']) =>
    [...inner.matchAll(/(\w+)\s*=~?\s*"([^"]*)"/g)]
      .filter(([, label]) => label !== 'job')
      .flatMap(([, , values = '']) => values.split('|').map((value) => ({ name, value }))),
  ),
)

test('alerts and panels look for values of labels that there are', () => {
  expect(matchers.length).toBeGreaterThan(5)
  for (const { name, value } of matchers) {
    const known: Readonly<Record<string, MetricDefinition>> = metricCatalogue
    const meaning = known[name.replace(/_(bucket|count|sum)$/, '')]?.meaning ?? known[name]?.meaning ?? ''
    const told = [...meaning.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word.replace(/^\dxx$/, 'class'))
    expect([name, told]).toEqual([name, expect.arrayContaining([value.replace(/^[1-5]xx$/, 'class')])])
  }
})

test('every metric of our own is told by some part of the program', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('catalogue.ts'),
  )
  const source = sources.map((path) => readFileSync(`src/${path}`, 'utf8')).join('\n')
  expect(Object.keys(metricCatalogue).filter((name) => !source.includes(`'${name}'`))).toEqual([])
})
