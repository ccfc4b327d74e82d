import { channelWords, integrationOf } from '../../channels/index.ts'
import { boolean, json, list, object, text } from '../../rest/fields.ts'
import type { Language } from '../../wording/language.ts'

const value = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] } as const

const fieldShape = {
  name: text({ about: 'Its key in `settings` of a notification address.', readOnly: true, example: 'topic' }),
  type: text({
    readOnly: true,
    oneOf: ['text', 'url', 'secret', 'integer', 'boolean', 'choice'],
    example: 'text',
  }),
  required: boolean({ readOnly: true, example: true }),
  default: json({
    about: 'In effect where nothing is set.',
    readOnly: true,
    schema: { written: value, shown: value },
    example: null,
  }),
  choices: list(text({}), {
    about: 'The values of a `choice`; null for other types.',
    nullable: true,
    readOnly: true,
    example: null,
  }),
  pattern: text({
    about: 'ECMAScript regular expression over the whole text; null: any text.',
    nullable: true,
    readOnly: true,
    example: null,
  }),
  label: text({ readOnly: true, example: 'Topic' }),
  description: text({ readOnly: true, example: 'The topic that people subscribe to.' }),
}

/** The fields of a notification channel beside those of every dictionary element (extensions §4). */
export const channelFields = {
  fields: list(object(fieldShape, {}), {
    about: 'The parts of an address of the channel; empty where it is its `address` alone.',
    readOnly: true,
    example: [],
  }),
  detects: boolean({
    about: 'Whether it recognises a URL of its vendor, or one as Apprise writes it, that is sent as `address`.',
    readOnly: true,
    example: false,
  }),
}

export function channelElements(language: Language) {
  return channelWords(language).map((element) => {
    const integration = integrationOf(element.id)
    const fields = (integration?.fields ?? []).map(([name, { type, words, format }]) => ({
      ...{ name, type, required: format.isRequired, default: format.isSecret ? null : format.default },
      ...{ choices: format.enum, pattern: format.pattern },
      ...words[language],
    }))
    return { ...element, fields, detects: (integration?.detect ?? null) !== null }
  })
}
