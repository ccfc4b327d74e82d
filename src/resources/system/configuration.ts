import { completeResult, readDirectoryState } from '../../database/config-directory.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { Operation } from '../../rest/call.ts'
import { integer, list, moment, object, text } from '../../rest/fields.ts'
import { answerSchemaOf } from '../../rest/schemas.ts'

const count = (about: string) =>
  integer({ required: true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, about, example: 1 })
const when = (about: string) => moment({ required: true, nullable: true, about, example: '2026-11-21T11:13:00Z' })

const results = [completeResult, 'incomplete', 'refused', 'unreadable', 'failed'] as const

const fault = object(
  {
    file: text({
      required: true,
      nullable: true,
      about: 'Null: of no single file.',
      example: '/etc/latarnik/shop.yaml',
    }),
    line: integer({ required: true, nullable: true, minimum: 1, example: 12 }),
    column: integer({ required: true, nullable: true, minimum: 1, example: 5 }),
    pointer: text({ required: true, about: 'The member of the file.', example: 'services.shop.interval' }),
    message: text({ required: true, example: 'Expected a number from 30 to 86400.' }),
  },
  {},
)

const answer = object(
  {
    directory: text({ required: true, nullable: true, about: 'Null: none was applied.', example: '/etc/latarnik' }),
    account: text({ required: true, nullable: true, about: 'The account that it changes.', example: 'user' }),
    result: text({
      required: true,
      nullable: true,
      oneOf: results,
      about:
        'The result of the last run. `applied`: everything is as the files want it; `incomplete`: some objects are not; `refused`: the files have faults; `unreadable`: there are no files; `failed`: the account may not change it, or the run broke off.',
      example: completeResult,
    }),
    managed_by: text({ required: true, nullable: true, about: 'The mark of the files.', example: 'shop' }),
    files: count('Files that were read.'),
    changed: count('Objects that the last run changed.'),
    unchanged: count('Objects that were as the files want them.'),
    failed: count('Objects that could not be changed.'),
    left: count('Objects with the mark that no file has, and that stay.'),
    ended_at: when('The end of the last run.'),
    succeeded_at: when('The end of the last complete run.'),
    failed_at: when('The end of the last other run.'),
    faults: list(fault, { required: true, about: 'At most 100 of the last run.' }),
  },
  {},
)

interface StoredFault {
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | null
  readonly pointer: string
  readonly message: string
}

function shownFault({ place, pointer, message }: StoredFault): object {
  const { file = null, line = null, column = null } = place ?? {}
  return { file, line, column, pointer, message }
}

const momentOf = (at: number | null | undefined) => (typeof at === 'number' ? formatMoment(at) : null)

/** `GET /system/configuration` */
export const configurationState: Operation = {
  id: 'system.configuration',
  method: 'GET',
  path: '/system/configuration',
  tag: 'system',
  summary: 'How the watched directory of configuration as code was applied',
  about:
    'The last run over `CONFIG_DIR`, by whichever process applies it. Without such a directory all members are null, 0 or empty.',
  access: 'administrator',
  answers: { 200: { about: 'The last run.', schema: answerSchemaOf(answer) } },
  async handle({ database }) {
    const state = await readDirectoryState(database)
    const { directory = null, account = null, result = null, mark = null } = state ?? {}
    const { files = 0, changed = 0, unchanged = 0, failed = 0, left_over: left = 0 } = state ?? {}
    const faults = (state?.faults ?? []) as readonly StoredFault[]
    return {
      status: 200,
      body: {
        ...{ directory, account, result, managed_by: mark, files, changed, unchanged, failed, left },
        ended_at: momentOf(state?.ended_at),
        succeeded_at: momentOf(state?.succeeded_at),
        failed_at: momentOf(state?.failed_at),
        faults: faults.map(shownFault),
      },
    }
  },
}
