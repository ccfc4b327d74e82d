import { readOnlyPermissions } from '../../domain/access/permissions.ts'
import { errorTypes as catalogue } from '../../domain/judging/error-types.ts'
import { always } from '../../domain/queries/condition.ts'
import { resource, rowsOf } from '../../rest/declare.ts'
import { identifier, text } from '../../rest/fields.ts'
import { errorTypeText } from '../../wording/error-types.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const

export const errorTypes = resource('error_types', {
  about: 'Every failure that the checks can tell apart, with what it means and what to do.',
  singular: 'error type',
  source: rowsOf(({ language }) =>
    catalogue.map(({ id, symbol, stage }) => ({
      id,
      category_id: stage,
      extra_info: `${stage}.${symbol}`,
      ...errorTypeText(symbol, language),
    })),
  ),
  access: 'public',
  fields: {
    id: identifier({ example: 2001 }),
    name: text({ ...column, example: 'Connection refused' }),
    description: text({
      ...column,
      about: 'The failure in a sentence.',
      example: 'Nothing listens at this address and port.',
    }),
    diagnosis: text({ ...column, about: 'Its meaning, and a remedy.', example: 'See whether the server runs.' }),
    category_id: text({
      about: 'Element of the dictionary error_type_categories: the stage of the check.',
      readOnly: true,
      filter: true,
      sort: true,
      example: 'connect',
    }),
    extra_info: text({
      ...column,
      about: 'Stage of the check and symbol, the same in every language.',
      example: 'connect.connection_refused',
    }),
  },
  embed: ['permissions'],
  search: ['id', 'name', 'description', 'extra_info'],
  forNarrowedKeys: true,
  visible: () => always(true),
  permissions: readOnlyPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
})
