import type { AnswerAt, RowAt, Schemas } from '../../client/client.ts'

export type { AnswerAt, RowAt, Schemas }

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
export type NotificationLog = Schemas['logs_notifications']
export type Delivery = Schemas['deliveries']
export type Template = Schemas['templates']
export type TemplateVariable = Schemas['dictionaries_template_variables']
export type Channel = Schemas['dictionaries_notification_channels']
export type ChannelField = Channel['fields'][number]

/** Something of a dictionary. */
export interface Term {
  readonly id: string
  readonly name: string
}

export type StateCounts = AnswerAt<'GET', '/services/state_counts'>
export type HistoryBars = RowAt<'/services/history_bars'>
/** The seconds of one day in each state. */
export type Day = HistoryBars['days'][number]
