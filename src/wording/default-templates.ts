import { notificationConditionIds } from '../domain/dictionaries.ts'
import type { MessageTemplate } from '../domain/notification/message-template.ts'
import type { Alternatives } from './fill.ts'
import type { Language } from './language.ts'
import { catalogues } from './texts.ts'

/**
 * The length of a channel's messages. `sms`: one line with a short name · `line`: one line · `whole`: the full text ·
 * `extended`: the full text with every check.
 */
export type TemplateLength = 'sms' | 'line' | 'whole' | 'extended'

/** The default wording, written as a template. */
export function defaultTemplate(language: Language, length: TemplateLength): MessageTemplate {
  const subject = subjectOf(language, '{{service.name}}')
  return { subject, body: `${bodyOf(language, length)}\n` }
}

function subjectOf(language: Language, name: string): string {
  const { subjects, test } = catalogues[language].notices
  const ends = notificationConditionIds.map((condition) => `{{#if ${condition}}}${anyOf(subjects[condition])}{{/if}}`)
  return `${name}: ${ends.join('')}{{#if test}}${test.subject}{{/if}}`
}

const written: Readonly<Record<string, string>> = { duration: '{{duration duration}}', reason: '{{reason}}' }

/** The first wording whose facts are all known. */
function anyOf([first = '', ...others]: Alternatives): string {
  const names = [...first.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const text = first.replace(/\{(\w+)\}/g, (_, name: string) => written[name] ?? '')
  return names.reduceRight((inner, name) => `{{#if ${name}}}${inner}{{else}}${anyOf(others)}{{/if}}`, text)
}

function bodyOf(language: Language, length: TemplateLength): string {
  const { test } = catalogues[language].notices
  const tried = test.text.replace('{name}', '{{service.name}}')
  const told =
    length === 'sms' || length === 'line'
      ? `${subjectOf(language, length === 'sms' ? '{{short service.name}}' : '{{service.name}}')} ({{time start_time}}{{#if seen_by}}, {{seen_by}}{{/if}})`
      : wholeText(language, length === 'extended')
  return `{{#if test}}\n${tried}\n{{else}}\n${told}\n{{/if}}`
}

function wholeText(language: Language, isExtended: boolean): string {
  const { labels, stillLasts, zone } = catalogues[language].notices
  const checks = isExtended
    ? loop('checks', [
        ...checkLines,
        ...when('url', [`    ${labels.details}: {{url}}`]),
        ...when('artifacts', [`    ${labels.artifacts} ({{artifacts}}): {{url}}`]),
      ])
    : [
        '{{#if failed_checks}}',
        ...loop('failed_checks', checkLines),
        '{{else}}',
        ...loop('checks', checkLines),
        '{{/if}}',
      ]
  const failure = `  {{time start_time}}{{#if end_time}} – {{time end_time}} ({{duration duration}}){{else}}, ${stillLasts}{{/if}}`
  return [
    ...['{{headline}}: {{service.name}}', '{{service.address}}', ''],
    ...loop('summary', ['{{line}}']),
    ...when('failures', ['', `${labels.failures}:`, ...loop('failures', [failure])]),
    ...when('checks', ['', `${labels.checks}:`, ...checks]),
    ...when('meanings', ['', `${labels.meaning}:`, ...loop('meanings', ['  {{name}}: {{text}}'])]),
    ...['', ...loop('identity', ['{{line}}']), '', zone.replace('{zone}', '{{time_zone}}')],
  ].join('\n')
}

const checkLines = ['  {{sensor}}: {{outcome}}', ...when('message', ['    {{message}}'])]

function when(name: string, lines: readonly string[]): readonly string[] {
  return [`{{#if ${name}}}`, ...lines, '{{/if}}']
}

function loop(name: string, lines: readonly string[]): readonly string[] {
  return [`{{#each ${name}}}`, ...lines, '{{/each}}']
}
