import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTemplate } from './template.ts'
import { faultOfTemplate, type TemplateShape } from './template-check.ts'
import { type FilterFunctions, type Rendering, renderTemplate, type TemplateValue } from './template-render.ts'

const shape: TemplateShape = {
  members: {
    name: 'text',
    failure: 'boolean',
    since: 'time',
    lasts: 'seconds',
    service: { members: { id: 'number', name: 'text' } },
    tags: { list: 'text' },
    checks: { list: { members: { sensor: 'text', name: 'text', tags: { list: 'text' } } } },
  },
}
const values: TemplateValue = {
  name: 'Shop <b>',
  failure: true,
  since: '2026-11-21T12:13:00Z',
  lasts: 0,
  service: { id: 7, name: 'Shop' },
  tags: [],
  checks: [
    { sensor: 'Kraków', name: 'one', tags: ['a'] },
    { sensor: 'Oslo', name: 'two', tags: [] },
  ],
}
const shown = (value: TemplateValue) => `<${value}>`
const filters: FilterFunctions = {
  ...{ json: shown, time: shown, date: shown, clock: shown },
  ...{ duration: shown, short: shown, upper: (value) => String(value).toUpperCase() },
}

function filled(template: string, more: Partial<Rendering> = {}): string | null {
  const { nodes, fault } = readTemplate(template)
  expect(fault).toBeNull()
  return renderTemplate(nodes ?? [], values, { filters, longest: 1000, ...more })
}

test.each([
  ['plain { } text', 'plain { } text'],
  ['{{service.name}} {{ service.id }}', 'Shop 7'],
  ['{"a":{{{service.id}}}', '{"a":{7}'],
  ['{"a":{{json service}}}', '{"a":{"id":7,"name":"Shop"}}'],
  ['{{time since}} {{duration lasts}} {{upper name}}', '<2026-11-21T12:13:00Z> <0> SHOP <B>'],
  ['{{#if failure}}yes{{else}}no{{/if}}', 'yes'],
  ['{{#unless failure}}yes{{else}}no{{/unless}}', 'no'],
  ['{{#if lasts}}zero is something{{/if}}', 'zero is something'],
  ['{{#if tags}}some{{else}}none{{/if}}{{#each tags}}{{this}}{{/each}}', 'none'],
  ['{{#each checks}}{{sensor}} {{name}} {{service.name}},{{/each}}', 'Kraków one Shop,Oslo two Shop,'],
  ['a{{! a remark }}b', 'ab'],
  ['a\n  {{#each checks}}\n- {{sensor}}\n{{/each}}\r\nb', 'a\n- Kraków\n- Oslo\nb'],
  ['{{#if failure}}\nyes\n{{/if}}', 'yes\n'],
])('%j becomes %j', (template, text) => {
  expect(faultOfTemplate(template, shape)).toBeNull()
  expect(filled(template)).toBe(text)
})

test.each([
  ['{{nme}}', 'unknown_variable', 'nme', 1, 1],
  ['a\nbc {{service.nme}}', 'unknown_variable', 'service.nme', 2, 4],
  ['ż😀{{service}}', 'not_single', 'service', 1, 3],
  ['{{constructor}}', 'unknown_variable', 'constructor', 1, 1],
  ['{{service.__proto__}}', 'unknown_variable', 'service.__proto__', 1, 1],
  ['{{this}}', 'unknown_variable', 'this', 1, 1],
  ['{{sensor}}', 'unknown_variable', 'sensor', 1, 1],
  ['{{#if x}}{{/if}}', 'unknown_variable', 'x', 1, 1],
  ['{{#if failure}}{{else}}{{x}}{{/if}}', 'unknown_variable', 'x', 1, 24],
  ['{{shout name}}', 'unknown_filter', 'shout name', 1, 1],
  ['{{time name}}', 'wrong_filter', 'time name', 1, 1],
  ['{{#each service}}{{/each}}', 'not_list', 'service', 1, 1],
  ['{{#each checks}}{{#each tags}}{{/each}}{{/each}}', 'loop_in_loop', 'tags', 1, 17],
  ['{{#if failure}}', 'unclosed_block', '#if failure', 1, 1],
  ['{{#if failure}}{{/each}}', 'unopened_block', '/each', 1, 16],
  ['{{/if}}', 'unopened_block', '/if', 1, 1],
  ['{{else}}', 'misplaced_else', 'else', 1, 1],
  ['{{#if failure}}{{else}}{{else}}{{/if}}', 'misplaced_else', 'else', 1, 24],
  ['{{name', 'unclosed_tag', '{{', 1, 1],
  ['{{a b c}}', 'unreadable_tag', 'a b c', 1, 1],
  ['{{> partial}}', 'unreadable_tag', '> partial', 1, 1],
  ['{{}}', 'unreadable_tag', '', 1, 1],
  [`${'{{#if failure}}'.repeat(11)}${'{{/if}}'.repeat(11)}`, 'too_deep', '#if failure', 1, 151],
])('%j is refused: %s %s at %i:%i', (template, problem, name, line, column) => {
  expect(faultOfTemplate(template, shape)).toEqual({ problem, name, line, column })
})

test('what is written is made to fit its place, but for JSON', () => {
  const written = (text: string) => text.replaceAll('<', '&lt;')
  expect(filled('{{name}} {{json name}}', { written })).toBe('Shop &lt;b> "Shop <b>"')
})

test('a text that would be too long is none', () => {
  expect(filled('{{service.name}}', { longest: 4 })).toBe('Shop')
  expect(filled('{{service.name}}', { longest: 3 })).toBeNull()
})

test('any text is read in a moment, and what passes can be filled in', () => {
  const part = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '#if ',
    '#each ',
    'checks',
    'failure',
    '/if',
    '/each',
    'else',
    ' ',
    '\n',
    'x',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const template = parts.join('')
      if (faultOfTemplate(template, shape) === null) expect(typeof filled(template, { longest: 1e6 })).toBe('string')
    }),
  )
  for (const piece of ['{{', ' ', '{{ ', '{{#if failure}}', '{', '\n{{!}}', '{{a ']) {
    const startedAt = performance.now()
    readTemplate(piece.repeat(10_000))
    expect(performance.now() - startedAt).toBeLessThan(1000)
  }
})
