import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { integrationOf } from '../../src/channels/index.ts'
import type { Wording } from '../../src/channels/wording.ts'
import type { MessageTemplate } from '../../src/domain/notification/message-template.ts'
import type { NoticeFacts, TestFacts } from '../../src/domain/notification/notice.ts'
import { faultOfTemplate, templateFilters } from '../../src/domain/notification/template-check.ts'
import {
  messageShape,
  templateVariableIds,
  templateVariables,
} from '../../src/domain/notification/template-variables.ts'
import { wordNotice } from '../../src/notifications/message.ts'
import type { Reader } from '../../src/notifications/reader.ts'
import { templateValues } from '../../src/notifications/template-values.ts'
import { wordByTemplate } from '../../src/notifications/templated.ts'
import { wordTest } from '../../src/notifications/test-message.ts'
import { defaultTemplate } from '../../src/wording/default-templates.ts'
import { failureAt, failureNotice, noticeCheck, recoveryNotice } from '../support/notices.ts'

const diagnosis = { name: 'Connection refused', diagnosis: 'Nothing listens on this port.' }
const english: Reader = {
  language: 'en',
  zone: 'Europe/Warsaw',
  publicUrl: 'https://watch.example.com/',
  diagnose: (id) => (id === 2001 ? diagnosis : null),
  acknowledgeToken: 'TOKEN',
}
const polish: Reader = { ...english, language: 'pl', acknowledgeToken: null }

const failures = [
  { startedAt: failureAt - 7200_000, endedAt: failureAt - 3600_000 },
  { startedAt: failureAt, endedAt: null },
]
const notices: Readonly<Record<string, NoticeFacts>> = {
  failure: failureNotice(),
  'a failure of nobody’s kind': failureNotice({ checks: [noticeCheck({ error_type_id: 1 })], previous: null }),
  'a failure that goes on': failureNotice({ condition: 'failure_continuation', durationSeconds: 3700 }),
  recovery: recoveryNotice(),
  pause: failureNotice({ condition: 'pause', checks: [], analysis_id: null, pauseReason: 'suspension' }),
  'a silent failure': failureNotice({ condition: 'silent_failure', failures }),
}
const tried: TestFacts = {
  condition: 'test',
  service: null,
  group: { id: 3, name: 'Default' },
  decidedAt: failureAt,
}

describe.each([
  ['en', english],
  ['pl', polish],
] as const)('the default template in %s', (language, reader) => {
  test.each([
    ['sms', 'sms'],
    ['email_short', 'line'],
    ['email', 'whole'],
    ['email_extended', 'extended'],
  ] as const)('of %s says what is said without a template', (channel, length) => {
    const template = defaultTemplate(language, length)
    expect([template.subject, template.body].map((part) => faultOfTemplate(part, messageShape))).toEqual([null, null])
    for (const facts of Object.values(notices)) {
      const usual = wordNotice(facts, channel, reader)
      const { subject, text } = wordByTemplate(template, facts, reader, usual)
      expect({ subject, text }).toEqual({ subject: usual.subject, text: usual.text })
    }
    const usual = wordTest(tried, reader)
    expect(wordByTemplate(template, tried, reader, usual)).toEqual(usual)
  })
})

function worded(template: Partial<MessageTemplate>, facts: NoticeFacts = failureNotice()): Wording {
  const usual = wordNotice(facts, 'email', english)
  return wordByTemplate({ subject: 'S', body: 'B', ...template }, facts, english, usual)
}

describe('every variable', () => {
  const filled = templateValues(
    failureNotice({
      condition: 'silent_failure',
      failures,
      durationSeconds: 5,
      service: { ...failureNotice().service, tags: ['a'] },
      escalation: { id: 4, name: 'Night shift', step: 1, steps: 3, repeat: 0 },
    }),
    english,
    wordNotice(failureNotice(), 'email', english),
  )

  test.each(templateVariableIds.filter((id) => id !== 'pause_reason'))('%s has a value of its kind', (id) => {
    const [first, ...rest] = id.split('.')
    const outer = (filled as Record<string, unknown>)[first ?? '']
    const value = rest.reduce<unknown>(
      (at, name) => (at as Record<string, unknown>)[name],
      Array.isArray(outer) ? outer[0] : outer,
    )
    const [kind] = templateVariables[id]
    const whole = rest.length === 0 ? outer : value
    if (kind === 'list' || kind === 'texts') expect(whole).toSatisfy((list: unknown[]) => list.length > 0)
    else if (kind === 'number' || kind === 'seconds') expect(typeof value).toBe('number')
    else if (kind === 'boolean') expect(typeof value).toBe('boolean')
    else if (kind === 'time') expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    else expect(value).toMatch(/./)
  })
})

describe('a template', () => {
  test('words subject and text in the zone of the reader', () => {
    const body =
      '{{service.name}} {{clock start_time}} {{date start_time}}\n{{#each failed_checks}}\n* {{sensor}}\n{{/each}}'
    const { subject, text } = worded({ subject: '[{{group.name}}] {{upper condition}}', body })
    expect(subject).toBe('[Default] FAILURE')
    expect(text).toBe('Sklep 12:13:00 2026-11-21\n* Local 1 (Warszawa, Polska)\n* Local 2\n')
  })

  test('that cannot be filled in, or comes out empty, leaves its part to the usual wording', () => {
    const usual = wordNotice(failureNotice(), 'email', english)
    expect(worded({ subject: '{{', body: '{{#if recovery}}up{{/if}}' })).toEqual(usual)
    expect(worded({ body: '{{#each checks}}'.repeat(20) })).toEqual({ ...usual, subject: 'S' })
    const long = '{{#each checks}}{{outcome}}{{message}}{{/each}}'.repeat(200)
    expect(worded({ subject: '{{no.such}}', body: long })).toEqual(usual)
  })

  test('keeps names that look like markup as text, and links what is an address', () => {
    const facts = failureNotice({ service: { ...failureNotice().service, name: '<b>"Shop" & *x*' } })
    const { text, html } = worded({ body: '{{service.name}} <i> see {{service.url}}.\njavascript:alert(1)' }, facts)
    expect(text).toContain('<b>"Shop" & *x* <i> see https://watch.example.com/services/12.')
    expect(html).toContain(
      '&lt;b&gt;&quot;Shop&quot; &amp; *x* &lt;i&gt; see <a href="https://watch.example.com/services/12">',
    )
    expect(html).not.toContain('href="javascript')
    expect(html).not.toContain('<b>')
  })

  test('keeps a subject on one line, and the machine-readable part', () => {
    expect(worded({ subject: 'a\nb {{service.name}}' }).subject).toBe('a b Sklep')
    const usual = wordNotice(failureNotice(), 'email_dedicated', english)
    const told = wordByTemplate({ subject: 'S', body: 'B' }, failureNotice(), english, usual)
    expect(told).toEqual({ subject: 'S', text: 'B\n', attachment: usual.attachment })
    expect(usual.attachment).not.toBeNull()
  })
})

describe('the page about templates', () => {
  const page = readFileSync('docs/templates.md', 'utf8')

  test('lists every variable with its type, and none that there is not', () => {
    const [before = '', after = ''] = page.split('## Variables')
    const rowsOf = (part: string) =>
      [...part.matchAll(/^\| `([\w.]+)` \| (\w+) \|/gm)].map(([, id, kind]) => [id, kind])
    const known = templateVariableIds.filter((id) => !id.startsWith('failed_checks.'))
    expect(rowsOf(after)).toEqual(known.map((id) => [id, templateVariables[id][0]]))
    expect(rowsOf(before).map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(templateFilters)))
  })

  test('has examples that can be saved', () => {
    const [, example = ''] = /```handlebars\n([\s\S]*?)```/.exec(page) ?? []
    const { subject, body } = JSON.parse(/-d '(\{[\s\S]*?\})'/.exec(page)?.[1] ?? '{}') as MessageTemplate
    expect([example, subject, body].map((source) => faultOfTemplate(source, messageShape))).toEqual([null, null, null])
    expect(worded({ body: example }).text).toBe(
      'FAILURE: Sklep (Default)\n' +
        ['Local 1 (Warszawa, Polska)', 'Local 2']
          .map((sensor) => `- ${sensor}: Connection refused (connect ECONNREFUSED 127.0.0.1:8000)\n`)
          .join('') +
        'I know of it: https://watch.example.com/acknowledge?token=TOKEN\n',
    )
  })
})

test.each([
  ['slack', { url: 'https://hooks.slack.com/services/T/B/x' }, '&lt;b&gt;Shop&lt;/b&gt;', '<b>Shop'],
  ['telegram', { bot_token: '1:a', chat_id: '1' }, '&lt;b&gt;Shop&lt;/b&gt;', '<b>Shop'],
  ['discord', { url: 'https://discord.com/api/webhooks/1/a' }, '\\\\*x\\\\*', ' *x*'],
] as const)('%s gets a template’s text as text', (channel, settings, present, absent) => {
  const facts = failureNotice({ service: { ...failureNotice().service, name: '<b>Shop</b> *x*' } })
  const { subject, text } = worded({ subject: 'Of {{service.name}}', body: 'Text: {{service.name}}' }, facts)
  const { body } = integrationOf(channel)?.request(
    {
      ...{ subject, text, attachment: null, link: null, serviceId: 12, condition: 'failure', decidedAt: 0 },
      ...{ key: 'k', threadKey: 't' },
    },
    settings,
  ) ?? { body: '' }
  expect(body).toContain(present)
  expect(body).not.toContain(absent)
})
