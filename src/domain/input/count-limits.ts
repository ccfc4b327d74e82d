/**
 * Count limits for objects that clients create and that no package limits. Honest use never meets them; they keep one
 * account from filling everybody's database. Beyond a limit the answer is `limit_exceeded`, which names the resource.
 */
export const countLimits = {
  /** Per parent account. */
  accounts: 1000,
  /** Per owner. */
  groups: 10_000,
  /** Per group. */
  shares: 1000,
  /** Per group; each address is notified of every failure in it. */
  notificationAddresses: 200,
  /** Per address; the newest are kept. */
  deliveries: 1000,
  /** Per group, over all its frequencies. */
  periodicReportAddresses: 200,
  /** Per service, past ones included. */
  suspensions: 10_000,
  /** Per service; every round evaluates them. The 168 characters of `suspension_hours` make at most 84. */
  weeklySuspensions: 200,
  /** Per service: one a day for decades. */
  corrections: 10_000,
  /** Per failure. */
  changeComments: 1000,
  /** Per owner. */
  reportTemplates: 1000,
  /** Per owner, planned ones included; each may hold megabytes. */
  reports: 10_000,
  /** Per owner. */
  apiKeys: 200,
  /** Per owner. */
  passkeys: 50,
  /** Per owner. */
  tags: 1000,
  /** Per owner, past ones included. */
  wideSuspensions: 10_000,
  /** Per owner; the calendar of every service that they cover evaluates them. */
  wideWeeklySuspensions: 200,
  /** Per owner. */
  wallboards: 1000,
  /** Per owner. */
  templates: 1000,
  /** Per owner. */
  contacts: 10_000,
  /** Per contact; each address is notified of every failure. */
  contactAddresses: 50,
  /** Per owner. */
  contactGroups: 1000,
  /** Per contact, past ones included. */
  contactSuspensions: 1000,
  /** Per contact; every message evaluates them. */
  contactWeeklySuspensions: 200,
  /** Per owner. */
  escalations: 1000,
  /** Per owner. */
  rotations: 1000,
  /** Per escalation, past ones included. */
  escalationSuspensions: 1000,
  /** Per escalation; every step evaluates them. */
  escalationWeeklySuspensions: 200,
  /** Per owner. */
  statusPages: 100,
  /** Per page. */
  statusPageComponents: 1000,
  /** Per page, past ones included. */
  statusPageIncidents: 10_000,
  /** Per incident. */
  statusPageUpdates: 200,
  /** Per page. */
  statusPageTemplates: 200,
  /** Per owner. */
  statusPageLogos: 250,
  /** Per page. */
  statusPageSubscribers: 50_000,
  /** Per page: those whose address nobody confirmed yet. */
  waitingSubscribers: 10_000,
  /** Per distribution. */
  oauthClients: 1000,
} as const

/**
 * The number of archived services that an account may keep: ten times its package's limit of services, at least a
 * thousand.
 */
export function maximumArchivedServices(maximumServices: number | null): number | null {
  return maximumServices === null ? null : Math.max(1000, 10 * maximumServices)
}
