import { raw } from 'sql-template-tag'
import { apiOf } from '../../src/cli/remote.ts'
import type { Api } from '../../src/configuration/api.ts'
import type { ChangeOutcome } from '../../src/configuration/apply.ts'
import { exportAccount } from '../../src/configuration/export.ts'
import { modelOf } from '../../src/configuration/model.ts'
import { type Change, isEnding, type Plan } from '../../src/configuration/plan.ts'
import { type Planned, plan } from '../../src/configuration/run.ts'
import { yamlOf } from '../../src/configuration/show.ts'
import type { Database } from '../../src/database/connect.ts'
import { declaredResources } from '../../src/program/interface-description.ts'
import { type Person, passwordOf } from './people.ts'

/** Configuration as code against the API of a test's world. */

export const model = modelOf(declaredResources())

export function apiFor(server: string, person: Person): Api {
  return apiOf({ server }, { LATARNIK_USERNAME: person, LATARNIK_PASSWORD: passwordOf(person) })
}

export interface Settings {
  readonly environment?: Readonly<Record<string, string>>
  readonly isPruning?: boolean
  readonly mark?: string
}

export function planned(api: Api, files: Readonly<Record<string, string>>, settings: Settings = {}): Promise<Planned> {
  const { environment = {}, isPruning = false, mark } = settings
  return plan({
    ...{ api, model, mark, isPruning, language: 'en' },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    sources: { environment, prefix: null, folders: null },
  })
}

/** The results of all changes, in their order. */
export async function applied(
  api: Api,
  files: Readonly<Record<string, string>>,
  settings: Settings = {},
): Promise<readonly string[]> {
  const results: string[] = []
  const found = await planned(api, files, settings)
  await found.apply((change, outcome) => results.push(resultOf(change, outcome)))
  return results
}

function resultOf(change: Change, outcome: ChangeOutcome): string {
  const name = isEnding(change) ? `${change.current.kind.name}.${change.current.key}` : change.definition.pointer
  const why =
    outcome.result === 'refused'
      ? ` ${outcome.faults.map(({ pointer, message }) => `${pointer}: ${message}`).join(' ')}`
      : ''
  return `${change.action} ${name} ${outcome.result}${why}`
}

/** `update services.shop interval` */
export function changesOf({ changes }: Plan): readonly string[] {
  return changes.map((change) => {
    if (isEnding(change)) return `${change.action} ${change.current.kind.name}.${change.current.key}`
    const paths =
      change.action === 'create'
        ? []
        : change.differences.map(({ path, cause }) => (cause === 'files' ? path : `${path}(${cause})`))
    return [change.action, change.definition.pointer, ...paths].join(' ')
  })
}

export async function exported(
  api: Api,
  nowAt: number,
  mark = 'latarnik',
): Promise<{ readonly yaml: string; readonly variables: readonly string[] }> {
  const { document, variables } = await exportAccount({ api, model, mark, nowAt })
  return { yaml: yamlOf(document, ' exported'), variables }
}

/** Everything that files may hold; accounts and their default groups stay. */
export async function forgetAll(database: Database): Promise<void> {
  const whole = [
    'status_page_components',
    'status_pages',
    'reports',
    'report_templates',
    'services',
    'notification_addresses',
    'wide_suspensions',
    'wide_weekly_suspensions',
    'periodic_report_addresses',
    'templates',
    'wallboards',
    'tags',
  ]
  const people = ['escalation_statuses', 'escalations', 'rotations', 'contact_groups', 'contacts']
  for (const table of whole) await database.execute(raw(`delete from ${table}`))
  await database.execute(
    raw(
      `update groups set escalation_id = null, contact_ids = '{}', contact_group_ids = '{}', managed_key = null, managed_by = null, managed_state = null`,
    ),
  )
  await database.execute(raw('delete from groups where not is_default'))
  for (const table of people) await database.execute(raw(`delete from ${table}`))
}
