import { channelIds, channelOf } from '../../channels/index.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { always } from '../../domain/queries/condition.ts'
import { resource, rowsOf } from '../../rest/declare.ts'
import { text } from '../../rest/fields.ts'
import { defaultTemplate, type TemplateLength } from '../../wording/default-templates.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const

function lengthOf(channelId: string): TemplateLength {
  const { style } = channelOf(channelId)
  if (style === 'sms' || style === 'line') return style
  return style === 'illustrated' ? 'extended' : 'whole'
}

const rows = channelIds.flatMap((channel) =>
  languageIds.map((language) => ({
    notification_channel_id: channel,
    language_id: language,
    ...defaultTemplate(language, lengthOf(channel)),
  })),
)

export const defaultTemplates = resource('default_templates', {
  about: 'How messages are worded without a template, written in the language of templates.',
  tag: 'templates',
  singular: 'default template',
  source: rowsOf(() => rows),
  access: 'any',
  key: ['notification_channel_id', 'language_id'],
  bound: { _channel_id: 'notification_channel_id', _language_id: 'language_id' },
  fields: {
    notification_channel_id: text({ ...column, oneOf: channelIds, example: 'email' }),
    language_id: text({ ...column, oneOf: languageIds, example: 'en' }),
    subject: text({ ...column, example: '{{service.name}}: …' }),
    body: text({
      ...column,
      multiline: true,
      about:
        'The same as the usual text; names of more than 100 characters, which the usual subject cuts, apart. The HTML of e-mails is made of the text.',
      example: '{{headline}}: {{service.name}}',
    }),
  },
  search: ['notification_channel_id', 'language_id', 'subject', 'body'],
  forNarrowedKeys: true,
  visible: () => always(true),
  operations: ['list', 'search', 'read'],
})
