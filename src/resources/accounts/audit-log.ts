import sql from 'sql-template-tag'
import { auditSources } from '../../domain/access/audit.ts'
import { auditVisible } from '../../domain/access/permissions.ts'
import { one } from '../../rest/declare.ts'
import { integer, json, moment, text } from '../../rest/fields.ts'
import { column, id, log } from '../notifications/logs.ts'

const values = { type: ['object', 'null'], additionalProperties: true } as const
const told = { nullable: true, readOnly: true, schema: { written: values, shown: values } } as const

/** The changes of what an account owns: by whom, when, from where, and the values before and after. */
export const auditLog = log(
  'audit',
  {
    scope: 'account',
    about:
      'Changes of what an account owns: who made each, when, from where, and the values before and after. `***` stands for secrets.',
    singular: 'logged change',
    rows: () => sql`select * from audit_log`,
    fields: {
      id,
      time: moment(column),
      account_id: integer({ ...column, nullable: true, about: 'The account or the administrator that made it.' }),
      api_key_id: integer({ ...column, nullable: true, about: 'The API key that made it.', example: null }),
      ip_address: text({ ...column, contains: true, example: '192.0.2.7' }),
      source: text({
        ...column,
        about: 'The program, as it says itself in the header `Latarnik-Source`.',
        oneOf: auditSources,
        example: 'api',
      }),
      operation: text({ ...column, contains: true, about: 'As in this document.', example: 'services.update' }),
      resource: text({ ...column, about: 'The kind of the object.', example: 'services' }),
      object_id: text({ ...column, nullable: true, about: 'The id of the object; null for several.', example: '1' }),
      before: json({
        ...told,
        about: 'Null for a creation. Of a change, the values that differ.',
        example: { name: 'Shop' },
      }),
      after: json({
        ...told,
        about: 'Null for a removal. Of a change, the values that differ.',
        example: { name: 'Sklep' },
      }),
      owner_id: integer({ internal: true }),
    },
    search: ['operation', 'object_id', 'ip_address'],
  },
  {
    bound: { _account_id: 'owner_id', _id: 'id' },
    relations: { account: one('accounts', 'account_id'), api_key: one('api_keys', 'api_key_id') },
    operations: ['list', 'read'],
    visible: auditVisible,
  },
)
