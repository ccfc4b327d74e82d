export type Values = Readonly<Record<string, unknown>>

/** A record of the audit log. */
export interface Change {
  readonly id: number
  readonly time: string
  readonly account_id: number | null
  readonly account: { readonly name: string; readonly username: string } | null
  readonly api_key_id: number | null
  readonly api_key: { readonly name: string } | null
  readonly ip_address: string
  readonly source: 'api' | 'console' | 'cli' | 'apply' | 'mcp'
  readonly operation: string
  readonly resource: string
  readonly object_id: string | null
  readonly before: Values | null
  readonly after: Values | null
}

/** The list of records, without its order and its filters. */
export function auditPath(accountId: number) {
  return `/accounts/${accountId}/logs/audit?embed=account.name,account.username,api_key.name` as const
}

/** Filters that the address bar may hold. */
export const auditFilters = ['account_id', 'resource', 'object_id', 'source', 'from', 'to']

/** Kinds of objects that values refer to. */
export const referredKinds: Readonly<Record<string, string>> = {
  ...{ group_id: 'groups', group_ids: 'groups', parent_ids: 'services', service_id: 'services' },
  ...{ contact_id: 'contacts', contact_ids: 'contacts', contact_group_ids: 'contact_groups' },
  ...{ escalation_id: 'escalations', status_page_id: 'status_pages', template_id: 'templates' },
  ...{ owner_id: 'accounts', account_id: 'accounts' },
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
