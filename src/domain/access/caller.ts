import type { KeyScope } from './key-scopes.ts'

/** The rights that a share can grant beside reading (specification: Share). */
export const shareFlags = [
  'can_modify_group',
  'can_modify_services',
  'can_create_services',
  'can_delete_services',
  'can_archive_services',
  'can_force_analyses',
] as const
export type ShareFlag = (typeof shareFlags)[number]

/** A group that is shared with the caller's account or with its parent. The flags of both shares are united. */
export type SharedGroup = Readonly<Record<ShareFlag, boolean>> & { readonly group_id: number }

/** The API key that a caller uses: the part of the owner's rights that it has. */
export interface CallersKey {
  readonly id: number
  readonly scopes: readonly KeyScope[]
  /** Null: not narrowed to groups. */
  readonly group_ids: readonly number[] | null
  /** Null: not narrowed to tags. */
  readonly tag_ids: readonly number[] | null
  /** Unix milliseconds; null: it does not expire. */
  readonly expires_at: number | null
  /** The caller uses a short-lived access token of the key. */
  readonly is_token?: true
  /** An assistant may confirm its own changes if its client cannot ask a person. */
  readonly can_confirm_itself?: true
  /** The OAuth client that logged in with it; its tokens open `/mcp` alone. Not there for keys that people make. */
  readonly client_id?: string
}

/** The authenticated caller: everything that permissions, visibility and presentation need. Read once per request. */
export interface Caller {
  readonly scope: 'customer' | 'administrator' | 'anonymous'
  /** Zero for an anonymous caller. */
  readonly account_id: number
  /** The parent of a sub-account, otherwise the account itself. */
  readonly primary_account_id: number
  /** The accounts whose objects count as the caller's own: the account, and its parent if it is a sub-account. */
  readonly account_ids: readonly number[]
  readonly username: string
  readonly is_read_only: boolean
  readonly is_sub_account: boolean
  /** It has to have a second factor and has none: until then it only sets one up. */
  readonly must_set_up_second_factor: boolean
  readonly can_share_groups: boolean
  readonly can_create_subaccounts: boolean
  /** For an administrator: the distribution that limits what the caller sees. Null for a customer. */
  readonly distribution_id: number | null
  /** The administrator who acts through a customer's session; null otherwise. */
  readonly manager_id: number | null
  /** The account's own default group; a sub-account has one of its own (specification: Group). */
  readonly default_group_id: number | null
  readonly package_id: number | null
  readonly language_id: string
  readonly shares: readonly SharedGroup[]
  /** IANA name of the primary account's time zone. */
  readonly time_zone_id: string
  /** Null for Basic, API keys and anonymous callers. */
  readonly session_id: string | null
  /** Null for everybody who does not use an API key. */
  readonly key: CallersKey | null
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
  must_set_up_second_factor: false,
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
  key: null,
})
