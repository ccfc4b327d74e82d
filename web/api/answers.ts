import type { Schemas } from '../../client/client.ts'

export type { Schemas }

/** Answers of the API under the console's names. */
export type Account = Schemas['accounts']
export type Service = Schemas['services']
export type ServiceStatus = Schemas['service_statuses']
export type Group = Schemas['groups']
export type ServiceType = Schemas['service_types']
export type Sensor = Schemas['sensors']
export type Tag = Schemas['tags']
export type Ping = Schemas['pings']
export type StatusChange = Schemas['status_changes']
export type Comment = Schemas['change_comments']
export type Analysis = Schemas['analyses']
export type Check = Schemas['checks']
export type CheckDetails = Schemas['check_details']
export type Correction = Schemas['corrections']
export type Suspension = Schemas['suspensions']
export type WeeklySuspension = Schemas['weekly_suspensions']
export type WideSuspension = Schemas['wide_suspensions']
export type WideWeeklySuspension = Schemas['wide_weekly_suspensions']
export type Report = Schemas['reports']
export type ReportTemplate = Schemas['report_templates']
export type ReportDocument = Schemas['reports_json_output']
export type Wallboard = Schemas['wallboards']
export type StatusPage = Schemas['status_pages']
export type StatusPageComponent = Schemas['status_page_components']
export type StatusPageIncident = Schemas['status_page_incidents']
export type StatusPageTemplate = Schemas['status_page_incident_templates']
export type StatusPageSubscriber = Schemas['status_page_subscribers']
export type Board = Schemas['board']
export type Artifact = Schemas['artifacts']
export type Summary = ServiceStatus['summary']
export type SettingFormat = Schemas['extended_setting_formats']
export type NotificationAddress = Schemas['notification_addresses']
export type ContactAddress = Schemas['contact_addresses']
export type Contact = Schemas['contacts']
export type ContactGroup = Schemas['contact_groups']
export type ContactSuspension = Schemas['contact_suspensions']
export type ContactWeeklySuspension = Schemas['contact_weekly_suspensions']
export type Rotation = Schemas['rotations']
export type Escalation = Schemas['escalations']
export type EscalationStatus = Schemas['escalation_statuses']
export type NotificationLog = Schemas['logs_notifications']
export type Delivery = Schemas['deliveries']
export type Template = Schemas['templates']
export type DefaultTemplate = Schemas['default_templates']
export type TemplateVariable = Schemas['dictionaries_template_variables']
export type Channel = Schemas['dictionaries_notification_channels']
export type ChannelField = Channel['fields'][number]

/** Something of a dictionary. */
export interface Term {
  readonly id: string
  readonly name: string
}

/** A service as lists read it. */
export type ListedService = Pick<
  Service,
  | 'id'
  | 'name'
  | 'address'
  | 'type_id'
  | 'group_id'
  | 'interval'
  | 'is_active'
  | 'is_archived'
  | 'owner_id'
  | 'tags'
  | 'query_name'
  | 'expires_at'
  | 'managed_by'
  | 'managed_key'
> & {
  readonly status: ServiceStatus | null
  readonly group: Pick<Group, 'id' | 'name'> | null
}

/** The seconds of one day in each state. */
export interface Day {
  /** `YYYY-MM-DD` in the zone of the owner. */
  readonly date: string
  readonly ok: number
  readonly failure: number
  readonly paused: number
  readonly degraded: number
  readonly failures: number
}

export interface HistoryBars {
  readonly service_id: number
  readonly days: readonly Day[]
}
