import { foundation } from './0001-foundation.ts'
import { planning } from './0002-planning.ts'
import { accounts } from './0003-accounts.ts'
import { administration } from './0004-administration.ts'
import { pauses } from './0005-pauses.ts'
import { rollUps } from './0006-roll-ups.ts'
import { watching } from './0007-watching.ts'
import { scenarioSteps } from './0008-scenario-steps.ts'
import { farSensors } from './0009-far-sensors.ts'
import { reports } from './0010-reports.ts'
import { packedDays } from './0011-packed-days.ts'
import { gateways } from './0012-gateways.ts'
import { processes } from './0013-processes.ts'
import { periodicReports } from './0014-periodic-reports.ts'
import { delaysAndHolders } from './0015-delays-and-holders.ts'
import { holdersOfWork } from './0016-holders-of-work.ts'
import { loginFailures } from './0017-login-failures.ts'
import { addressDescriptions } from './0018-address-descriptions.ts'
import { unknownReasons } from './0019-unknown-reasons.ts'
import { implicitFlow } from './0020-implicit-flow.ts'
import { exchangeKey } from './0021-exchange-key.ts'
import { fairTurns } from './0022-fair-turns.ts'
import { smsDays } from './0023-sms-days.ts'
import { confirmedAddresses } from './0024-confirmed-addresses.ts'
import { tags } from './0025-tags.ts'
import { lastResponseTimes } from './0026-last-response-times.ts'
import { pendingEmailAddress } from './0027-pending-email-address.ts'
import { failureNotes } from './0028-failure-notes.ts'
import { trials } from './0029-trials.ts'
import { streamEvents } from './0030-stream-events.ts'
import { wallboards } from './0031-wallboards.ts'
import { stationCoordinates } from './0032-station-coordinates.ts'
import { goodScreenshots } from './0033-good-screenshots.ts'
import { addressSettings } from './0034-address-settings.ts'
import { contacts } from './0035-contacts.ts'
import { escalations } from './0036-escalations.ts'
import { templates } from './0037-templates.ts'
import { deliveries } from './0038-deliveries.ts'
import { acknowledgedByLink } from './0039-acknowledged-by-link.ts'
import { webPushKey } from './0040-web-push-key.ts'
import { storms } from './0041-storms.ts'
import { messageReferences } from './0042-message-references.ts'
import { messages } from './0043-messages.ts'
import { heartbeats } from './0044-heartbeats.ts'
import { degraded } from './0045-degraded.ts'
import { expiry } from './0046-expiry.ts'
import { dependencies } from './0047-dependencies.ts'
import { statusPages } from './0048-status-pages.ts'
import { badges } from './0049-badges.ts'
import { calendarLinks } from './0050-calendar-links.ts'
import { pageLogos } from './0051-page-logos.ts'
import { wideSuspensions } from './0052-wide-suspensions.ts'
import { apiKeys } from './0053-api-keys.ts'
import { pageHosts } from './0054-page-hosts.ts'
import { dependentAccounts } from './0055-dependent-accounts.ts'
import { subscribers } from './0056-subscribers.ts'
import { registrations } from './0057-registrations.ts'
import { ownPingOutages } from './0058-own-ping-outages.ts'
import { toldByTag } from './0059-told-by-tag.ts'
import { managed } from './0060-managed.ts'
import { oidcIdentities } from './0061-oidc-identities.ts'
import { auditLog } from './0062-audit-log.ts'
import { provenLinks } from './0063-proven-links.ts'
import { noticeableDegraded } from './0064-noticeable-degraded.ts'
import { passkeys } from './0065-passkeys.ts'
import { toldStops } from './0066-told-stops.ts'
import { assistantConfirmations } from './0067-assistant-confirmations.ts'
import { configDirectory } from './0068-config-directory.ts'
import { missedRounds } from './0069-missed-rounds.ts'
import { settingsObjects } from './0070-settings-objects.ts'
import { assistantLogins } from './0071-assistant-logins.ts'
import { watchedDomains } from './0072-watched-domains.ts'
import { managedKinds } from './0073-managed-kinds.ts'
import { maskedAudit } from './0074-masked-audit.ts'
import { loggedSequences } from './0075-logged-sequences.ts'
import { coveredNumbers } from './0076-covered-numbers.ts'
import { confirmedComponents } from './0077-confirmed-components.ts'
import { serviceMetricsExport } from './0078-service-metrics-export.ts'
import { unsentAnalyses } from './0079-unsent-analyses.ts'
import { statusChangeCounts } from './0080-status-change-counts.ts'
import { countedByOwner } from './0081-counted-by-owner.ts'
import { auditByObject } from './0082-audit-by-object.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  /** Statements of one transaction. They never change once released: the next change is the next migration. */
  readonly text: string
}

/** In order, numbered from 1 without a gap. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'foundation', text: foundation },
  { number: 2, name: 'planning', text: planning },
  { number: 3, name: 'accounts', text: accounts },
  { number: 4, name: 'administration', text: administration },
  { number: 5, name: 'pauses', text: pauses },
  { number: 6, name: 'roll-ups', text: rollUps },
  { number: 7, name: 'watching', text: watching },
  { number: 8, name: 'scenario-steps', text: scenarioSteps },
  { number: 9, name: 'far-sensors', text: farSensors },
  { number: 10, name: 'reports', text: reports },
  { number: 11, name: 'packed-days', text: packedDays },
  { number: 12, name: 'gateways', text: gateways },
  { number: 13, name: 'processes', text: processes },
  { number: 14, name: 'periodic-reports', text: periodicReports },
  { number: 15, name: 'delays-and-holders', text: delaysAndHolders },
  { number: 16, name: 'holders-of-work', text: holdersOfWork },
  { number: 17, name: 'login-failures', text: loginFailures },
  { number: 18, name: 'address-descriptions', text: addressDescriptions },
  { number: 19, name: 'unknown-reasons', text: unknownReasons },
  { number: 20, name: 'implicit-flow', text: implicitFlow },
  { number: 21, name: 'exchange-key', text: exchangeKey },
  { number: 22, name: 'fair-turns', text: fairTurns },
  { number: 23, name: 'sms-days', text: smsDays },
  { number: 24, name: 'confirmed-addresses', text: confirmedAddresses },
  { number: 25, name: 'tags', text: tags },
  { number: 26, name: 'last-response-times', text: lastResponseTimes },
  { number: 27, name: 'pending-email-address', text: pendingEmailAddress },
  { number: 28, name: 'failure-notes', text: failureNotes },
  { number: 29, name: 'trials', text: trials },
  { number: 30, name: 'stream-events', text: streamEvents },
  { number: 31, name: 'wallboards', text: wallboards },
  { number: 32, name: 'station-coordinates', text: stationCoordinates },
  { number: 33, name: 'good-screenshots', text: goodScreenshots },
  { number: 34, name: 'address-settings', text: addressSettings },
  { number: 35, name: 'contacts', text: contacts },
  { number: 36, name: 'escalations', text: escalations },
  { number: 37, name: 'templates', text: templates },
  { number: 38, name: 'deliveries', text: deliveries },
  { number: 39, name: 'acknowledged-by-link', text: acknowledgedByLink },
  { number: 40, name: 'web-push-key', text: webPushKey },
  { number: 41, name: 'storms', text: storms },
  { number: 42, name: 'message-references', text: messageReferences },
  { number: 43, name: 'messages', text: messages },
  { number: 44, name: 'heartbeats', text: heartbeats },
  { number: 45, name: 'degraded', text: degraded },
  { number: 46, name: 'expiry', text: expiry },
  { number: 47, name: 'dependencies', text: dependencies },
  { number: 48, name: 'status-pages', text: statusPages },
  { number: 49, name: 'badges', text: badges },
  { number: 50, name: 'calendar-links', text: calendarLinks },
  { number: 51, name: 'page-logos', text: pageLogos },
  { number: 52, name: 'wide-suspensions', text: wideSuspensions },
  { number: 53, name: 'api-keys', text: apiKeys },
  { number: 54, name: 'page-hosts', text: pageHosts },
  { number: 55, name: 'dependent-accounts', text: dependentAccounts },
  { number: 56, name: 'subscribers', text: subscribers },
  { number: 57, name: 'registrations', text: registrations },
  { number: 58, name: 'own-ping-outages', text: ownPingOutages },
  { number: 59, name: 'told-by-tag', text: toldByTag },
  { number: 60, name: 'managed', text: managed },
  { number: 61, name: 'oidc-identities', text: oidcIdentities },
  { number: 62, name: 'audit-log', text: auditLog },
  { number: 63, name: 'proven-links', text: provenLinks },
  { number: 64, name: 'noticeable-degraded', text: noticeableDegraded },
  { number: 65, name: 'passkeys', text: passkeys },
  { number: 66, name: 'told-stops', text: toldStops },
  { number: 67, name: 'assistant-confirmations', text: assistantConfirmations },
  { number: 68, name: 'config-directory', text: configDirectory },
  { number: 69, name: 'missed-rounds', text: missedRounds },
  { number: 70, name: 'settings-objects', text: settingsObjects },
  { number: 71, name: 'assistant-logins', text: assistantLogins },
  { number: 72, name: 'watched-domains', text: watchedDomains },
  { number: 73, name: 'managed-kinds', text: managedKinds },
  { number: 74, name: 'masked-audit', text: maskedAudit },
  { number: 75, name: 'logged-sequences', text: loggedSequences },
  { number: 76, name: 'covered-numbers', text: coveredNumbers },
  { number: 77, name: 'confirmed-components', text: confirmedComponents },
  { number: 78, name: 'service-metrics-export', text: serviceMetricsExport },
  { number: 79, name: 'unsent-analyses', text: unsentAnalyses },
  { number: 80, name: 'status-change-counts', text: statusChangeCounts },
  { number: 81, name: 'counted-by-owner', text: countedByOwner },
  { number: 82, name: 'audit-by-object', text: auditByObject },
]
