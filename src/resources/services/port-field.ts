import sql from 'sql-template-tag'
import { serviceTypes } from '../../checks/index.ts'
import { integer } from '../../rest/fields.ts'

const usualPorts = JSON.stringify(
  Object.fromEntries(
    serviceTypes.flatMap(({ id, settings }) => {
      const usual = settings.find(({ setting_id }) => setting_id === 'port')?.default
      return usual == null ? [] : [[id, usual]]
    }),
  ),
)

/** Two servers on one host differ in it alone, where the address has none. */
export const portField = {
  port: integer({
    about:
      'The setting `port` where it is not the usual one of the type; null otherwise. The address may have its own.',
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    column: ({ alias }) =>
      sql`nullif(${alias}.extended_settings ->> 'port', ${usualPorts}::jsonb ->> ${alias}.type_id)::integer`,
  }),
} as const
