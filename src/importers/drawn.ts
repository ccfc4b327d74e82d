export type Members = Readonly<Record<string, unknown>>

/** A service as an importer draws it. Secrets are `Written`. */
export interface DrawnService {
  readonly type_id: string
  readonly address?: string
  readonly interval?: number | null
  readonly group_id?: string | undefined
  readonly is_active?: boolean
  readonly description?: string | null
  readonly extended_settings?: Members
  readonly tags?: readonly string[]
  readonly contact_ids?: readonly string[]
  /** How long a failure lasts in the other monitor before anybody is told. */
  readonly toldAfterSeconds?: number
  /** The events that people are told of, where it is not failures and their ends. */
  readonly notification_condition_ids?: readonly string[]
  readonly ping_slug?: string | undefined
  /** The name, where it is not that of the item. */
  readonly name?: string
}

/** A status page as an importer draws it. */
export interface DrawnPage {
  readonly title: string
  readonly slug?: string
  readonly description?: string
  readonly language_id?: string
  readonly time_zone_id?: string
  readonly is_indexed?: boolean
  readonly access?: string
  readonly lines: readonly DrawnLine[]
}

export interface DrawnLine {
  readonly name: string
  /** The heading below which it stands. */
  readonly under?: string | undefined
  readonly description?: string
  readonly service_id?: string
  /** The status of a line that people set. */
  readonly status?: string
  readonly only_show_if_degraded?: boolean
  readonly start_date?: string
}
