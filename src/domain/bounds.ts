/**
 * How many there may be of what clients make and no package limits. No honest use meets these; they keep one account from filling the
 * database of all. Beyond: `limit_exceeded`, which names the resource.
 */
export const bounds = {
  /** Of a parent. */
  accounts: 1000,
  /** Of an owner. */
  groups: 10_000,
  /** Of a group. */
  shares: 1000,
  /** Of a group: each is told of every failure in it. */
  notificationAddresses: 200,
  /** Of an address: the newest are kept. */
  deliveries: 1000,
  /** Of a group and all its frequencies. */
  periodicReportAddresses: 200,
  /** Of a service, over ones too. */
  suspensions: 10_000,
  /** Of a service; every round looks at them. The 168 characters of `suspension_hours` come to 84 at most. */
  weeklySuspensions: 200,
  /** Of a service: one a day for decades. */
  corrections: 10_000,
  /** Of a failure. */
  changeComments: 1000,
  /** Of an owner. */
  reportTemplates: 1000,
  /** Of an owner; planned ones too, each may hold megabytes. */
  reports: 10_000,
  /** Of an owner. */
  tags: 1000,
  /** Of an owner. */
  wallboards: 1000,
  /** Of an owner. */
  contacts: 10_000,
  /** Of a contact: each is told of every failure. */
  contactAddresses: 50,
  /** Of an owner. */
  contactGroups: 1000,
  /** Of a contact, over ones too. */
  contactSuspensions: 1000,
  /** Of a contact; every message looks at them. */
  contactWeeklySuspensions: 200,
  /** Of an owner. */
  escalations: 1000,
  /** Of an owner. */
  rotations: 1000,
  /** Of an escalation, over ones too. */
  escalationSuspensions: 1000,
  /** Of an escalation; every step looks at them. */
  escalationWeeklySuspensions: 200,
  /** Of a distribution. */
  oauthClients: 1000,
} as const

/** Archived services of an account whose package limits services: ten for each of these, a thousand at least. */
export function maximumArchivedServices(maximumServices: number | null): number | null {
  return maximumServices === null ? null : Math.max(1000, 10 * maximumServices)
}
