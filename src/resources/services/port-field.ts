import sql from 'sql-template-tag'
import { serviceTypes } from '../../checks/index.ts'
import { type ColumnContext, integer, text } from '../../rest/fields.ts'

const usualPorts = JSON.stringify(
  Object.fromEntries(
    serviceTypes.flatMap(({ id, settings }) => {
      const usual = settings.find(({ setting_id }) => setting_id === 'port')?.default
      return usual == null ? [] : [[id, usual]]
    }),
  ),
)

const unusualPort = ({ alias }: Pick<ColumnContext, 'alias'>) =>
  sql`nullif(${alias}.extended_settings ->> 'port', ${usualPorts}::jsonb ->> ${alias}.type_id)`

/** Two servers on one host differ in it alone, where the address has none. */
export const portField = {
  port: integer({
    about:
      'The setting `port` where it is not the usual one of the type; null otherwise. The address may have its own.',
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    column: (context) => sql`${unusualPort(context)}::integer`,
  }),
  /** Null without a port beside the address, so that most rows cost the search nothing more. */
  address_with_port: text({
    about: 'address with the port that the lists show behind it',
    nullable: true,
    internal: true,
    column: (context) => sql`${addressBeforePort(context)} || ':' || ${unusualPort(context)}`,
  }),
} as const

/** As `addressWithPort` of the domain: a port of the address goes, a bare IPv6 address gets brackets. */
function addressBeforePort({ alias }: Pick<ColumnContext, 'alias'>) {
  return sql`case when ${alias}.address ~ '^[^[]*:.*:' then '[' || ${alias}.address || ']'
    else regexp_replace(${alias}.address, ':[0-9]+$', '') end`
}
