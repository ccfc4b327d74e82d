import { countLimits } from '../../domain/input/count-limits.ts'
import type { Writing } from '../../rest/declare.ts'
import { resource } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { bulkByIds, bulkCreate, bulkCreateBelow } from '../../rest/operations/bulk.ts'
import { remove } from '../../rest/operations/remove.ts'
import { update } from '../../rest/operations/update.ts'
import { partFields, partOfService, periodWrite, servicePart, touchedTimes } from '../services/service-part.ts'

/** An archived service may be corrected: only its history can still be read, and corrections are how that is read. */
const write: Writing = {
  ...periodWrite({ flag: 'update', isForArchived: true, start: 'start_time', end: 'end_time' }),
  countLimit: { count: countLimits.corrections, per: 'service_id' },
  complete: (given, before, _facts, { caller, nowAt }) => ({
    row: before === null ? { ...given, created_at: nowAt, created_by_account_id: caller.account_id } : given,
    problems: [],
  }),
}

const { service_id, description, ...whose } = partFields
const time = { required: true, filter: true, sort: true } as const

const values = {
  start_time: moment({ ...time, about: 'Inclusive.', example: '2026-11-21T11:13:00Z' }),
  end_time: moment({ ...time, about: 'Exclusive.', example: '2026-11-21T12:13:00Z' }),
  status: text({
    about: 'The state that is taken to be true.',
    required: true,
    oneOf: ['ok', 'failure', 'paused'],
    filter: true,
    sort: true,
    example: 'ok',
  }),
  description,
} as const

const optional = Object.fromEntries(
  Object.entries(values).map(([name, field]) => [name, { ...field, required: false }]),
)

export const corrections = resource('corrections', {
  ...servicePart,
  about: 'Agreed truths over time ranges, for the service level alone; of several the one with the highest id wins.',
  singular: 'correction',
  making:
    'Counts in `history/service_level`, in `charts/availability` and in reports from now on; what was checked, told and noted in `history/status_changes` stays as it was.',
  source: partOfService('corrections'),
  range: touchedTimes,
  fields: {
    id: identifier(),
    service_id,
    ...values,
    created_at: moment({ readOnly: true, filter: true, sort: true }),
    created_by_account_id: integer({
      about: 'Null when that account is gone.',
      nullable: true,
      readOnly: true,
      filter: true,
      sort: true,
    }),
    ...whose,
  },
  search: ['id', 'description'],
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  write,
  actions: [
    bulkCreate({ resource: 'corrections', summary: 'Add a correction to many services', fields: values }),
    bulkCreateBelow({
      resource: 'corrections',
      summary: 'Add many corrections to one service',
      parent: { resource: 'services', field: 'service_id' },
      fields: values,
    }),
    bulkByIds({
      resource: 'corrections',
      name: 'bulk_update',
      summary: 'Modify many corrections',
      fields: optional,
      each: update,
    }),
    bulkByIds({ resource: 'corrections', name: 'bulk_delete', summary: 'Delete many corrections', each: remove }),
  ],
})
