import type { Authenticator } from '../auth/authenticate.ts'
import type { VendorPlaces } from '../channels/vendors.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Trials } from '../database/trials.ts'
import type { AccountDefaults } from '../domain/account-defaults.ts'
import type { Operation } from '../rest/call.ts'
import { type Registry, registryOf } from '../rest/declare.ts'
import type { ForceLimits } from '../service-state/schedule.ts'
import { accountCredentials } from './account-credentials.ts'
import { accounts } from './accounts.ts'
import { deliveriesOf } from './addresses/deliveries.ts'
import { notificationAddresses } from './addresses/notification-addresses.ts'
import { sendTestSmsOf } from './addresses/test-messages.ts'
import { adminAccounts } from './admin/accounts.ts'
import { oauthClientsOf } from './admin/oauth-clients.ts'
import { adminPackages } from './admin/packages.ts'
import { adminSensors } from './admin/sensors.ts'
import { usageByAccount, usageByGroup } from './admin/usage-stats.ts'
import { availableServiceTypes } from './available-service-types.ts'
import { corrections } from './corrections.ts'
import { dictionaries } from './dictionaries.ts'
import { errorTypes } from './error-types.ts'
import { eventStreamOf } from './event-stream/event-stream.ts'
import type { EventFeed } from './event-stream/feed.ts'
import { groups } from './groups.ts'
import { analyses } from './history/analyses.ts'
import { artifactOperations, artifacts } from './history/artifacts.ts'
import { availabilityChart } from './history/availability-chart.ts'
import { changeComments } from './history/change-comments.ts'
import { checkDetails, checks, checksInTime } from './history/checks.ts'
import { historyBars } from './history/history-bars.ts'
import { performanceChart } from './history/performance-chart.ts'
import { performanceSteps } from './history/performance-steps.ts'
import { phaseChart } from './history/phase-chart.ts'
import { serviceLevel } from './history/service-level.ts'
import { statusChanges } from './history/status-changes.ts'
import { stepChart } from './history/step-chart.ts'
import { authenticationLog, contactNotificationLog, notificationLog, statusChangeLog } from './logs.ts'
import { nextAnalysis } from './next-analysis.ts'
import { contactAddresses } from './on-call/contact-addresses.ts'
import { contactGroups } from './on-call/contact-groups.ts'
import { contactSuspensions } from './on-call/contact-suspensions.ts'
import { contacts } from './on-call/contacts.ts'
import { escalationStatuses, serviceEscalationStatuses } from './on-call/escalation-statuses.ts'
import { escalationSuspensions } from './on-call/escalation-suspensions.ts'
import { escalations } from './on-call/escalations.ts'
import { rotations } from './on-call/rotations.ts'
import { packages, packagesForNewAccounts } from './packages.ts'
import { passwordReset } from './password-reset.ts'
import { periodicReportAddresses } from './periodic-report-addresses.ts'
import { registrationOf } from './registration.ts'
import { reportTemplates } from './report-templates.ts'
import { reports } from './reports.ts'
import { sensors } from './sensors.ts'
import { forceAnalysisOf } from './service-actions.ts'
import { archiveService, restoreService } from './service-archive.ts'
import { bulkServices } from './service-bulk.ts'
import { serviceStatuses } from './service-statuses.ts'
import { trialOf } from './service-trial.ts'
import { extendedSettingFormats, serviceTypes } from './service-types.ts'
import { services } from './services.ts'
import { sessions } from './sessions.ts'
import { shares } from './shares.ts'
import { scheduledSuspensions, suspensions } from './suspensions.ts'
import { dnsDiagnostics, tracerouteDiagnostics } from './system/diagnostics.ts'
import { installation } from './system/installation.ts'
import { systemState } from './system/state.ts'
import { tags } from './tags.ts'
import { userData } from './user-data.ts'
import { wallboards } from './wallboards.ts'
import { weeklySuspensions } from './weekly-suspensions.ts'

/** What the resources need from outside the database. */
export interface ResourceTools {
  readonly authenticator: Authenticator
  readonly artifacts: ArtifactStore
  readonly events: EventFeed
  readonly forceLimits: ForceLimits
  /** Checks definitions that nobody has saved. */
  readonly trials: Trials
  readonly isRegistrationOpen: boolean
  /** Whether notification addresses are told nothing until a code came back from them. */
  readonly mustConfirmAddresses: boolean
  /** Where vendors take messages. Default: at their own places. */
  readonly vendorPlaces?: VendorPlaces
  readonly accountDefaults: AccountDefaults
  /** OAuth clients of the configuration. */
  readonly configuredClientIds: readonly string[]
}

/** What a service can be asked for beside the standard operations. */
function serviceActionsOf({ forceLimits, artifacts: store, events, trials }: ResourceTools): readonly Operation[] {
  const forceAnalysis = forceAnalysisOf(forceLimits)
  return [
    forceAnalysis,
    archiveService,
    restoreService,
    trialOf(trials, forceLimits),
    sendTestSmsOf('services'),
    ...bulkServices(forceAnalysis),
    nextAnalysis,
    serviceLevel,
    historyBars,
    performanceChart,
    phaseChart,
    stepChart,
    availabilityChart,
    ...artifactOperations(store),
    eventStreamOf(events),
  ]
}

function accountActionsOf({ authenticator, isRegistrationOpen, accountDefaults }: ResourceTools): readonly Operation[] {
  return [
    ...registrationOf(authenticator, isRegistrationOpen ? accountDefaults : null),
    ...accountCredentials(authenticator),
    ...passwordReset(authenticator),
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

const logs = [notificationLog, contactNotificationLog, statusChangeLog, authenticationLog]

const onCall = [
  contacts,
  contactGroups,
  ...contactSuspensions,
  rotations,
  escalations,
  escalationStatuses,
  serviceEscalationStatuses,
  ...escalationSuspensions,
]

function addressesOf({ mustConfirmAddresses: mustConfirm, vendorPlaces: places = new Map() }: ResourceTools) {
  return [
    notificationAddresses({ mustConfirm, places }),
    deliveriesOf('notification_addresses'),
    contactAddresses({ mustConfirm, places }),
    deliveriesOf('contact_addresses'),
  ]
}

/** Everything that the API offers. */
export function allResources(tools: ResourceTools): Registry {
  return registryOf([
    accounts(accountActionsOf(tools)),
    userData(tools.authenticator, tools.mustConfirmAddresses),
    sessions(tools.authenticator),
    packages,
    packagesForNewAccounts(tools.isRegistrationOpen),
    groups,
    shares,
    services(serviceActionsOf(tools)),
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
    tags,
    wallboards,
    ...onCall,
    suspensions,
    weeklySuspensions,
    scheduledSuspensions,
    corrections,
    ...history,
    ...logs,
    dnsDiagnostics([...systemState, installation]),
    tracerouteDiagnostics,
    adminAccounts(tools.accountDefaults),
    adminPackages,
    usageByAccount,
    usageByGroup,
    oauthClientsOf(tools.configuredClientIds),
    adminSensors,
  ])
}
