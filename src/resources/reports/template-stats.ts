import sql from 'sql-template-tag'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { Operation } from '../../rest/call.ts'
import { integer, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'

const path = '/report_templates/{_id}/stats'

const count = { required: true, minimum: 0, example: 4 } as const
const numbers = object(
  {
    reports: integer({ ...count, about: 'Reports made from the template that still exist.' }),
    completed: integer({ ...count, about: 'The completed ones among them.' }),
    failed: integer({ ...count, about: 'The failed ones among them.', example: 0 }),
    last_report_at: moment({ required: true, nullable: true, about: 'When the newest was asked for; null: none was.' }),
  },
  {},
)

/** `GET /report_templates/{_id}/stats` */
export const templateStats: Operation = {
  id: 'report_templates.stats',
  method: 'GET',
  path,
  tag: 'report_templates',
  summary: 'Numbers of reports made from a template',
  access: 'customer',
  parameters: pathParameters(path),
  answers: { 200: { about: 'The numbers.', schema: schemaOf(numbers) } },
  async handle(call) {
    const template = await locatedRow(call.registry.get('report_templates'), call, { flags: [], columns: ['id'] })
    const [counted] = await call.database.query<{ last_at: number | null }>(sql`
      select count(*)::int as reports, (count(*) filter (where status = 'completed'))::int as completed,
        (count(*) filter (where status = 'failed'))::int as failed,
        max(created_at) as last_at
      from reports where template_id = ${Number(template['id'])}`)
    const { last_at: lastAt = null, ...counts } = counted ?? {}
    return {
      status: 200,
      body: { ...counts, last_report_at: lastAt === null ? null : formatMoment(lastAt) },
    }
  },
}
