import { templateVariables as known, templateVariableIds } from '../../domain/notification/template-variables.ts'
import { always } from '../../domain/queries/condition.ts'
import { resource, rowsOf } from '../../rest/declare.ts'
import { json, text } from '../../rest/fields.ts'
import { catalogues } from '../../wording/texts.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const
// Not a list of types: oapi-codegen writes no type for one.
const value = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] }

export const templateVariables = resource('dictionaries/template_variables', {
  about: 'The variables that templates of messages may name, translated by Accept-Language (docs/templates.md).',
  tag: 'dictionaries',
  singular: 'template variable',
  source: rowsOf(({ language }) =>
    templateVariableIds.map((id) => {
      const [type, example_value] = known[id]
      return { id, name: `{{${id}}}`, description: catalogues[language].templates.variables[id], type, example_value }
    }),
  ),
  access: 'any',
  fields: {
    id: text({
      ...column,
      about: 'Members of the elements of a list follow it: `checks.sensor`.',
      example: 'service.name',
    }),
    name: text({ ...column, about: 'As a template names it.', example: '{{service.name}}' }),
    description: text({ ...column, example: 'Name of the service.' }),
    type: text({
      about:
        '`text`, `number`, `boolean`, `time` (RFC 3339), `seconds`, `list` (for #each), or `texts` (a list whose elements are `{{this}}`).',
      readOnly: true,
      filter: true,
      sort: true,
      example: 'text',
    }),
    example_value: json({
      about: 'Null for a list.',
      readOnly: true,
      schema: { written: value, shown: value },
      example: 'Shop',
    }),
  },
  search: ['id', 'name', 'description'],
  forNarrowedKeys: true,
  visible: () => always(true),
  operations: ['list', 'read'],
})
