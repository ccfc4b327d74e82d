import type { Authenticator } from '../auth/authenticate.ts'
import type { VendorUrls } from '../channels/vendors.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Trials } from '../database/services/trials.ts'
import type { AccountDefaults } from '../domain/access/account-defaults.ts'
import { noPageHosts, type PageHosts } from '../domain/status-pages/page-host.ts'
import type { Operation } from '../rest/call.ts'
import { type Registry, registryOf } from '../rest/declare.ts'
import type { ForceLimits } from '../service-state/schedule.ts'
import { accountActions } from './accounts/account-actions.ts'
import { accountCredentials } from './accounts/account-credentials.ts'
import { accounts } from './accounts/accounts.ts'
import { apiKeys } from './accounts/api-keys.ts'
import { auditLog } from './accounts/audit-log.ts'
import { copyGroupShares } from './accounts/copied-shares.ts'
import { packages, packagesForNewAccounts } from './accounts/packages.ts'
import { passkeys } from './accounts/passkeys.ts'
import { passwordReset } from './accounts/password-reset.ts'
import { pingKeyOperations } from './accounts/ping-key.ts'
import { registrationOf } from './accounts/registration.ts'
import { sessions } from './accounts/sessions.ts'
import { shares } from './accounts/shares.ts'
import { subaccountCreation } from './accounts/subaccount.ts'
import { userData } from './accounts/user-data.ts'
import { adminAccounts } from './admin/accounts.ts'
import { oauthClientsOf } from './admin/oauth-clients.ts'
import { adminPackages } from './admin/packages.ts'
import { adminSensors } from './admin/sensors.ts'
import { usageByAccount, usageByGroup } from './admin/usage-stats.ts'
import { dictionaries } from './dictionaries/dictionaries.ts'
import { errorTypes } from './dictionaries/error-types.ts'
import { sensors } from './dictionaries/sensors.ts'
import { extendedSettingFormats, serviceTypes } from './dictionaries/service-types.ts'
import { eventStreamOf } from './event-stream/event-stream.ts'
import type { EventFeed } from './event-stream/feed.ts'
import { groupStats } from './groups/group-stats.ts'
import { groups } from './groups/groups.ts'
import { wallboards } from './groups/wallboards.ts'
import { analyses } from './history/analyses.ts'
import { artifactOperations, artifacts } from './history/artifacts.ts'
import { availabilityChart } from './history/availability-chart.ts'
import { changeComments } from './history/change-comments.ts'
import { checkChart } from './history/check-chart.ts'
import { checkDetails, checks, checksInTime } from './history/checks.ts'
import { corrections } from './history/corrections.ts'
import { dataRangeOperations } from './history/data-ranges.ts'
import { detectedErrorTypes } from './history/detected-error-types.ts'
import { historyBars } from './history/history-bars.ts'
import { performanceChart } from './history/performance-chart.ts'
import { performanceSteps } from './history/performance-steps.ts'
import { phaseChart, riverChart } from './history/phase-chart.ts'
import { serviceLevel } from './history/service-level.ts'
import { serviceStatuses } from './history/service-statuses.ts'
import { statusChanges } from './history/status-changes.ts'
import { stepChart } from './history/step-chart.ts'
import { stepsSummary } from './history/steps-summary.ts'
import { usedSensorOperations } from './history/used-sensors.ts'
import { defaultTemplates } from './notifications/default-templates.ts'
import { deliveriesOf } from './notifications/deliveries.ts'
import { authenticationLog, contactNotificationLog, notificationLog, statusChangeLog } from './notifications/logs.ts'
import { notificationAddresses } from './notifications/notification-addresses.ts'
import type { PreviewRequestTo } from './notifications/request-preview.ts'
import type { PreviewMessage } from './notifications/template-preview.ts'
import { templateVariables } from './notifications/template-variables.ts'
import { templates } from './notifications/templates.ts'
import { sendTestSmsOf } from './notifications/test-messages.ts'
import { contactAddresses } from './on-call/contact-addresses.ts'
import { contactGroups } from './on-call/contact-groups.ts'
import { contactSuspensions } from './on-call/contact-suspensions.ts'
import { contacts } from './on-call/contacts.ts'
import { customTemplates } from './on-call/custom-templates.ts'
import { escalationStatuses, serviceEscalationStatuses } from './on-call/escalation-statuses.ts'
import { escalationSuspensions } from './on-call/escalation-suspensions.ts'
import { escalations } from './on-call/escalations.ts'
import { rotations } from './on-call/rotations.ts'
import { tagContacts } from './on-call/tag-contacts.ts'
import { generatedAttachments } from './reports/generated-attachments.ts'
import { periodicReportAddresses } from './reports/periodic-report-addresses.ts'
import { reportTemplates } from './reports/report-templates.ts'
import { reports } from './reports/reports.ts'
import { availableServiceTypes } from './services/available-service-types.ts'
import { badgeTokens } from './services/badge-tokens.ts'
import { nextAnalysis } from './services/next-analysis.ts'
import { pings } from './services/pings.ts'
import { forceAnalysisOf } from './services/service-actions.ts'
import { archiveService, restoreService } from './services/service-archive.ts'
import { bulkServices } from './services/service-bulk.ts'
import { serviceMetricsOf } from './services/service-metrics.ts'
import { customAnalysisOf, trialOf } from './services/service-trial.ts'
import { services } from './services/services.ts'
import { scheduledSuspensions, suspensions } from './services/suspensions.ts'
import { tags } from './services/tags.ts'
import { weeklySuspensions } from './services/weekly-suspensions.ts'
import { wideSuspensions, wideWeeklySuspensions } from './services/wide-suspensions.ts'
import { withHosts } from './status-pages/page-hosts.ts'
import type { PreviewPage } from './status-pages/page-preview.ts'
import { statusPageComponents } from './status-pages/status-page-components.ts'
import { statusPageIncidents } from './status-pages/status-page-incidents.ts'
import { statusPageSubscribers } from './status-pages/status-page-subscribers.ts'
import { statusPageIncidentTemplates } from './status-pages/status-page-templates.ts'
import { statusPages } from './status-pages/status-pages.ts'
import { configurationState } from './system/configuration.ts'
import { dnsDiagnostics, tracerouteDiagnostics } from './system/diagnostics.ts'
import { installationOf } from './system/installation.ts'
import { systemState } from './system/state.ts'

/** The resources' needs from outside the database. */
export interface ResourceTools {
  readonly authenticator: Authenticator
  readonly artifacts: ArtifactStore
  readonly events: EventFeed
  readonly forceLimits: ForceLimits
  /** Checks definitions that nobody has saved. */
  readonly trials: Trials
  readonly isRegistrationOpen: boolean
  /** Default: false. */
  readonly hasServiceMetrics?: boolean
  /** Default: false. */
  readonly hasAccountabilityPage?: boolean
  /** SMS that all accounts together may send per day. Default: no limit. */
  readonly smsDaily?: number | undefined
  /** Whether notification addresses are told nothing until a code came back from them. */
  readonly mustConfirmAddresses: boolean
  /** Where vendors take messages. Default: at their own addresses. */
  readonly vendorUrls?: VendorUrls
  /** Usernames of accounts that may import confirmed subscribers; `*`: all. Default: none. */
  readonly consentAccounts?: readonly string[]
  readonly accountDefaults: AccountDefaults
  /** Words messages as the notifier does, and renders status pages as the public sees them. */
  readonly previews: {
    readonly message: PreviewMessage
    readonly request: PreviewRequestTo
    readonly page: PreviewPage
  }
  /** Host names that status pages may have. Default: none. */
  readonly pageHosts?: PageHosts
  /** OAuth clients of the configuration. */
  readonly configuredClientIds: readonly string[]
}

/** The actions of a service beside the standard operations. */
function serviceActionsOf({
  forceLimits,
  artifacts: store,
  events,
  trials,
  hasServiceMetrics = false,
}: ResourceTools): readonly Operation[] {
  const forceAnalysis = forceAnalysisOf(forceLimits)
  return [
    forceAnalysis,
    ...badgeTokens,
    archiveService,
    restoreService,
    trialOf(trials, forceLimits),
    customAnalysisOf(trials, forceLimits),
    sendTestSmsOf('services'),
    ...bulkServices(forceAnalysis),
    nextAnalysis,
    serviceLevel,
    historyBars,
    performanceChart,
    phaseChart,
    riverChart,
    checkChart,
    stepChart,
    availabilityChart,
    ...artifactOperations(store),
    stepsSummary,
    ...usedSensorOperations,
    detectedErrorTypes,
    ...dataRangeOperations,
    eventStreamOf(events),
    serviceMetricsOf(hasServiceMetrics),
  ]
}

function accountActionsOf({ authenticator, isRegistrationOpen, accountDefaults }: ResourceTools): readonly Operation[] {
  return [
    ...registrationOf(authenticator, isRegistrationOpen ? accountDefaults : null),
    ...accountCredentials(authenticator),
    ...passwordReset(authenticator),
    ...pingKeyOperations,
    ...accountActions,
    subaccountCreation,
    copyGroupShares,
  ]
}

const history = [
  analyses,
  checks,
  checksInTime,
  checkDetails,
  performanceSteps,
  artifacts,
  statusChanges,
  changeComments,
]

/** How messages are worded. */
function wordingOf({ previews }: ResourceTools) {
  return [templates(previews.message), defaultTemplates, customTemplates, templateVariables]
}

const logs = [notificationLog, contactNotificationLog, statusChangeLog, authenticationLog, auditLog]

const onCall = [
  contacts,
  contactGroups,
  ...contactSuspensions,
  rotations,
  escalations,
  escalationStatuses,
  tagContacts,
  serviceEscalationStatuses,
  ...escalationSuspensions,
]

function statusPagesOf({ previews, pageHosts = noPageHosts, ...tools }: ResourceTools) {
  const { vendorUrls = new Map(), consentAccounts: trusted = [] } = tools
  const pages = withHosts(statusPages(previews.page, { vendorUrls, trusted }), pageHosts)
  return [
    pages,
    statusPageComponents,
    statusPageIncidents,
    statusPageIncidentTemplates,
    statusPageSubscribers(vendorUrls),
  ]
}

function addressesOf({ mustConfirmAddresses: mustConfirm, vendorUrls = new Map(), previews }: ResourceTools) {
  const options = { mustConfirm, vendorUrls, previewRequest: previews.request }
  return [
    notificationAddresses(options),
    deliveriesOf('notification_addresses'),
    contactAddresses(options),
    deliveriesOf('contact_addresses'),
  ]
}

function administrationOf(tools: ResourceTools) {
  const { accountDefaults, configuredClientIds, hasAccountabilityPage = false, smsDaily } = tools
  return [
    dnsDiagnostics([...systemState, installationOf({ hasAccountabilityPage, smsDaily }), configurationState]),
    tracerouteDiagnostics,
    adminAccounts(accountDefaults),
    adminPackages,
    usageByAccount,
    usageByGroup,
    oauthClientsOf(configuredClientIds),
    adminSensors,
  ]
}

/** The ways to log in. */
function credentialsOf({ authenticator }: ResourceTools) {
  return [sessions(authenticator), passkeys(authenticator), apiKeys]
}

/** Everything that the API offers. */
export function allResources(tools: ResourceTools): Registry {
  return registryOf([
    accounts(accountActionsOf(tools)),
    userData(tools.authenticator, tools.mustConfirmAddresses),
    ...credentialsOf(tools),
    packages,
    packagesForNewAccounts(tools.isRegistrationOpen),
    groups,
    groupStats,
    shares,
    services(serviceActionsOf(tools)),
    pings,
    serviceStatuses,
    serviceTypes,
    extendedSettingFormats,
    availableServiceTypes,
    sensors,
    errorTypes,
    ...dictionaries,
    ...addressesOf(tools),
    periodicReportAddresses(tools.mustConfirmAddresses),
    reportTemplates(tools.mustConfirmAddresses),
    reports(tools.mustConfirmAddresses),
    generatedAttachments,
    ...wordingOf(tools),
    tags,
    wallboards,
    ...onCall,
    ...statusPagesOf(tools),
    suspensions,
    weeklySuspensions,
    wideSuspensions,
    wideWeeklySuspensions,
    scheduledSuspensions,
    corrections,
    ...history,
    ...logs,
    ...administrationOf(tools),
  ])
}
