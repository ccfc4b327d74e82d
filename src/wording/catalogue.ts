import type { DictionaryName, dictionaries } from '../domain/dictionaries.ts'
import type { ProblemDetail, ProblemSymbol } from '../domain/input/problem-codes.ts'
import type { DegradedReason } from '../domain/judging/degraded.ts'
import type { PauseReason } from '../domain/judging/status-change.ts'
import type { DefinitionFault } from '../domain/judging/unknown-reason.ts'
import type {
  AddressOffKind,
  DiskLetterKind,
  FarewellKind,
  GatewayLetterKind,
  LetterKind,
  SecurityKind,
  SensorLetterKind,
  SmsLimitKind,
  UncheckedKind,
} from '../domain/notification/letter.ts'
import type { NoticeCheck, NoticeCondition } from '../domain/notification/notice.ts'
import type { TemplateFault } from '../domain/notification/template.ts'
import type { TemplateVariable } from '../domain/notification/template-variables.ts'
import type { ReportingPlan } from '../domain/reports/report-plan.ts'
import type { AccountabilityTexts } from './accountability-texts.ts'
import type { Alternatives, PluralForms } from './fill.ts'
import type { PageTexts } from './page-texts.ts'
import type { SubscriptionTexts } from './subscription-texts.ts'

/** The texts that every language must have; the compiler demands each key. */
export interface Catalogue {
  readonly problems: ProblemTexts
  readonly dictionaries: DictionaryTexts
  /** Types for IPv6 alone are named after their base. */
  readonly notices: NoticeTexts
  readonly letters: LetterTexts
  readonly warnings: WarningTexts
  readonly pages: PageTexts
  readonly statusPages: StatusPageTexts
  readonly accountability: AccountabilityTexts
  readonly subscriptions: SubscriptionTexts
  readonly guide: GuideText
  readonly reports: ReportTexts
  readonly periodicReports: PeriodicReportTexts
  readonly templates: TemplateTexts
}

/** The first chapters of the API's description, in Markdown. */
export type GuideText = (known: {
  /** The address of the API in the examples, `/v3` included. */
  readonly baseUrl: string
  readonly pageSize: number
  readonly longestPage: number
  readonly bodyKibibytes: number
}) => string

export interface ProblemTexts {
  readonly users: Readonly<Record<ProblemSymbol, Alternatives>>
  readonly details: Readonly<Record<ProblemDetail, string>>
}

export interface ElementText {
  readonly name: string
  readonly description: string
}

/** The runtime's own data name the time zones. */
export type DictionaryTexts = {
  readonly [Name in Exclude<DictionaryName, 'time_zones'>]: Readonly<
    Record<(typeof dictionaries)[Name][number], ElementText>
  >
}

export interface NoticeTexts {
  /** The end of a subject, after the service's name. */
  readonly subjects: Readonly<Record<NoticeCondition, Alternatives>>
  /** The first line of a text. */
  readonly headlines: Readonly<Record<NoticeCondition, string>>
  readonly labels: Readonly<Record<NoticeLabel, string>>
  readonly statuses: Readonly<Record<'ok' | 'failure' | 'paused', string>>
  readonly results: Readonly<Record<NoticeCheck['result'], string>>
  readonly pauseReasons: Readonly<Record<PauseReason, string>>
  /** `{name}` ends in `{days}`, at `{time}`. */
  readonly ends: Readonly<Record<'certificate' | 'domain', string>>
  /** In a subject: it ends in `{days}`. */
  readonly endsIn: Readonly<Record<'certificate' | 'domain', string>>
  readonly days: PluralForms
  /** In a list after a colon. */
  readonly degradedReasons: Readonly<Record<DegradedReason, string>>
  /** After "2 of": a genitive in Polish. */
  readonly sensors: PluralForms
  /** In a digest. */
  readonly services: PluralForms
  /** The services that a digest does not name: `{services}`. */
  readonly moreServices: string
  readonly seenBy: string
  /** For a heartbeat: `{time}` of the expected report, the start or the report, and the exit `{status}`. */
  readonly heartbeat: Readonly<Record<'late' | 'overrun' | 'reported' | 'exited', string>>
  /** For a failure that has not ended. */
  readonly stillLasts: string
  /** `{step}` of `{steps}`, `{name}` of the escalation. */
  readonly escalationStep: string
  /** Sent `{repeat}` times before. */
  readonly escalationRepeat: string
  readonly statusSince: string
  readonly zone: string
  readonly newService: string
  readonly test: { readonly subject: string; readonly text: string }
  /** `{code}`, `{place}` and `{minutes}` are filled in. */
  /** Somebody knows of a failure; `{name}` says who. */
  readonly acknowledgement: { readonly somebody: string; readonly subject: string; readonly text: string }
  readonly confirmation: { readonly subject: string; readonly text: string }
}

export type NoticeLabel =
  | 'since'
  | 'lasted'
  | 'degradedLasted'
  | 'lastsFor'
  | 'escalation'
  | 'before'
  | 'seenBy'
  | 'failures'
  | 'services'
  | 'list'
  | 'reason'
  | 'meaning'
  | 'checks'
  | 'reports'
  | 'type'
  | 'group'
  | 'service'
  | 'analysis'
  | 'acknowledge'
  | 'details'
  | 'screenshot'
  | 'artifacts'

/**
 * Why a service, or the services of a group, are not checked, or an address receives nothing. `{category}` of
 * `group_without_sensor` is filled in.
 */
export type WarningTexts = Readonly<
  Record<
    DefinitionFault | 'nobody_told' | 'group_without_sensor' | 'no_confirmation_code' | 'no_service_uses_it',
    string
  >
>

/** `{username}`, `{link}`, `{until}` and `{changed}` are filled in. */
export type LetterTexts = Readonly<
  Record<
    | LetterKind
    | FarewellKind
    | UncheckedKind
    | SmsLimitKind
    | AddressOffKind
    | SecurityKind
    | SensorLetterKind
    | GatewayLetterKind
    | DiskLetterKind,
    { readonly subject: string; readonly text: string }
  >
>

/** `{line}`, `{column}`, `{fault}`, `{name}` and `{filters}` are filled in. */
export interface TemplateTexts {
  readonly place: string
  readonly faults: Readonly<Record<TemplateFault['problem'], string>>
  /** The meaning of each variable of a message. */
  readonly variables: Readonly<Record<TemplateVariable, string>>
}

/** The texts of reports and about them. */
export interface ReportTexts {
  /** Why a report failed; `{most}` is filled in. */
  readonly failures: { readonly failed: string; readonly interrupted: string; readonly tooLarge: string }
  /** `{name}`, `{from}`, `{to}` and `{zone}` are filled in. */
  readonly mail: { readonly subject: string; readonly text: string }
  readonly labels: Readonly<Record<ReportLabel, string>>
  readonly kinds: Readonly<Record<'summary' | 'account' | 'group' | 'service', string>>
  /** From Monday. */
  readonly weekDays: readonly string[]
  readonly rules: Readonly<Record<ReportRule, { readonly label: string; readonly text: string }>>
}

export type ReportLabel =
  | 'report'
  | 'page'
  | 'contents'
  | 'rules'
  | 'owner'
  | 'zone'
  | 'created'
  | 'sections'
  | 'summary'
  | 'course'
  | 'overview'
  | 'state'
  | 'responseTime'
  | 'raised'
  | 'checks'
  | 'byHour'
  | 'byWeekDay'
  | 'failures'
  | 'noFailures'
  | 'someFailures'
  | 'ok'
  | 'failure'
  | 'paused'
  | 'unknown'
  | 'availability'
  | 'failuresCount'
  | 'longestFailure'
  | 'corrections'
  | 'began'
  | 'ended'
  | 'lasted'
  | 'okChecks'
  | 'errorChecks'
  | 'unknownChecks'

/** `{zone}`, `{ranges}`, `{count}`, `{from}`, `{to}` are filled in. */
export type ReportRule =
  | 'time'
  | 'zone'
  | 'availability'
  | 'failures'
  | 'corrections'
  | 'noCorrections'
  | 'leftOut'
  | 'nothingLeftOut'
  | 'archived'
  | 'noArchived'
  | 'nothing'
  | 'performance'

/**
 * The older periodic reports, by mail. `{title}`, `{group}`, `{period}`, `{services}`, `{shown}`, `{count}` and
 * `{zone}` are filled in.
 */
export interface PeriodicReportTexts {
  readonly titles: Readonly<Record<ReportingPlan, string>>
  readonly subject: string
  readonly noFailures: string
  readonly notMonitored: string
  readonly archived: string
  readonly failures: PluralForms
  readonly services: PluralForms
  readonly unnamed: string
  readonly labels: Readonly<
    Record<'service' | 'availability' | 'failures' | 'failing' | 'longest' | 'longestOnly', string>
  >
  readonly rules: string
  readonly why: string
}

/** Texts of public status pages. */
export type StatusPageText =
  | `indicator_${'none' | 'minor' | 'major' | 'critical' | 'maintenance'}`
  | `told_${'minor' | 'major' | 'critical'}`
  | `impact_${'none' | 'minor' | 'major' | 'critical'}`
  | 'unknown'
  | 'operational'
  | 'degraded_performance'
  | 'partial_outage'
  | 'major_outage'
  | 'under_maintenance'
  | 'investigating'
  | 'identified'
  | 'monitoring'
  | 'resolved'
  | 'postmortem'
  | 'scheduled'
  | 'in_progress'
  | 'verifying'
  | 'completed'
  | 'cancelled'
  | 'current_incidents'
  | 'current_maintenance'
  | 'planned_maintenance'
  | 'maintenance'
  | 'components'
  | 'no_components'
  | 'past_incidents'
  | 'no_incidents'
  | 'shown_after'
  | 'more'
  | 'history'
  | 'no_history'
  | 'incident_gone_title'
  | 'incident_gone'
  | 'affects'
  | 'days_ago'
  | 'today'
  | 'uptime'
  | 'no_uptime'
  | 'bars'
  | 'day_down'
  | 'zone'
  | 'as_of'
  | 'copy_of'
  | 'made_by'
  | 'calendar'
  | 'password_title'
  | 'password'
  | 'show'
  | 'wrong_password'
  | 'wait'
  | 'not_found_title'
  | 'not_found'
  | 'unavailable_title'
  | 'unavailable'
  | 'failure_name'
  | 'failures_name'
  | 'failure_body'
  | 'recovery_body'
  | 'badge_state'
  | 'badge_uptime'
  | 'badge_response_time'
  | 'badge_ok'
  | 'badge_degraded'
  | 'badge_failure'
  | 'badge_paused'
  | 'badge_unknown'

export type StatusPageTexts = Readonly<Record<StatusPageText, string>>
