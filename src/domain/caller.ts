/** A group that somebody shared with the caller's account or with its parent; flags of both are united. */
export interface SharedGroup {
  readonly group_id: number
  readonly can_modify_group: boolean
  readonly can_modify_services: boolean
  readonly can_create_services: boolean
  readonly can_delete_services: boolean
  readonly can_archive_services: boolean
  readonly can_force_analyses: boolean
}

/** Who is asking. Everything that permissions, visibility and presentation need to know, read once per request. */
export interface Caller {
  readonly scope: 'customer' | 'administrator' | 'anonymous'
  /** Zero for an anonymous caller. */
  readonly account_id: number
  /** The parent of a sub-account, otherwise the account itself. */
  readonly primary_account_id: number
  /** Whose objects count as one's own: the account, and its parent when it is a sub-account. */
  readonly account_ids: readonly number[]
  readonly username: string
  readonly is_read_only: boolean
  readonly is_sub_account: boolean
  readonly can_share_groups: boolean
  readonly can_create_subaccounts: boolean
  /** Set for an administrator: the distribution that bounds what the caller sees. Null for a customer. */
  readonly distribution_id: number | null
  /** The administrator who acts through a customer's session; null otherwise. */
  readonly manager_id: number | null
  /** Of the account itself: a sub-account has one of its own (specification: Group). */
  readonly default_group_id: number | null
  readonly package_id: number | null
  readonly language_id: string
  readonly shares: readonly SharedGroup[]
  /** IANA name, of the primary account. */
  readonly time_zone_id: string
  /** Null for Basic and anonymous callers. */
  readonly session_id: string | null
}

/** The caller without credentials, as public resources see it. */
export const anonymousCaller: Caller = Object.freeze({
  scope: 'anonymous',
  account_id: 0,
  primary_account_id: 0,
  account_ids: Object.freeze([]),
  username: '',
  is_read_only: true,
  is_sub_account: false,
  can_share_groups: false,
  can_create_subaccounts: false,
  distribution_id: null,
  manager_id: null,
  default_group_id: null,
  package_id: null,
  language_id: 'en',
  shares: Object.freeze([]),
  time_zone_id: 'UTC',
  session_id: null,
})
