import type { DictionaryTexts } from '../catalogue.ts'

export const dictionaries: DictionaryTexts = {
  languages: {
    pl: { name: 'Polish', description: 'Polish language.' },
    en: { name: 'English', description: 'English language.' },
  },
  report_sections: {
    checks_summary: { name: 'Summary of checks', description: 'Numbers of correct, wrong and unknown checks.' },
    service_level_summary: {
      name: 'Service level',
      description: 'Time of working, failures and pauses, and availability.',
    },
    performance_by_hour: { name: 'Performance by hour', description: 'Response times by hour of the day.' },
    performance_by_week_day: {
      name: 'Performance by day of the week',
      description: 'Response times by day of the week.',
    },
  },
  reporting_plans: {
    daily: { name: 'Daily', description: 'Every day, for the day before.' },
    weekly: { name: 'Weekly', description: 'Every Monday, for the week before.' },
    monthly: { name: 'Monthly', description: 'On the first of every month, for the month before.' },
  },
  notification_conditions: {
    failure: { name: 'Failure', description: 'A failure was detected.' },
    failure_continuation: {
      name: 'Failure continues',
      description: 'A failure that was reported still lasts; repeated a few times.',
    },
    pause: { name: 'Pause', description: 'The user stopped the monitoring.' },
    recovery: { name: 'Recovery', description: 'The service works again after a failure.' },
    silent_failure: {
      name: 'Failure in quiet hours',
      description: 'A failure happened in quiet hours, which have now ended.',
    },
    degraded: { name: 'Degraded', description: 'The service works, but not as well as it should.' },
    degraded_end: { name: 'Degraded no more', description: 'Nothing limits the service any more.' },
  },
  notification_modes: {
    off: { name: 'Off', description: 'No notifications of the service are sent.' },
    default: { name: 'At once', description: 'Directly after a failure is detected.' },
    after_30_seconds_failure: { name: 'After 30 seconds', description: 'When the failure has lasted 30 seconds.' },
    after_1_minute_failure: { name: 'After 1 minute', description: 'When the failure has lasted 1 minute.' },
    after_5_minutes_failure: { name: 'After 5 minutes', description: 'When the failure has lasted 5 minutes.' },
    after_10_minutes_failure: { name: 'After 10 minutes', description: 'When the failure has lasted 10 minutes.' },
    after_15_minutes_failure: { name: 'After 15 minutes', description: 'When the failure has lasted 15 minutes.' },
    after_30_minutes_failure: { name: 'After 30 minutes', description: 'When the failure has lasted 30 minutes.' },
  },
  recovery_notification_modes: {
    off: { name: 'Off', description: 'Recoveries are not notified.' },
    default: { name: 'At once', description: 'Directly after the service works again.' },
    after_30_seconds: { name: 'After 30 seconds', description: 'When the service has worked for 30 seconds.' },
    after_1_minute: { name: 'After 1 minute', description: 'When the service has worked for 1 minute.' },
    after_5_minutes: { name: 'After 5 minutes', description: 'When the service has worked for 5 minutes.' },
    after_10_minutes: { name: 'After 10 minutes', description: 'When the service has worked for 10 minutes.' },
    after_15_minutes: { name: 'After 15 minutes', description: 'When the service has worked for 15 minutes.' },
    after_30_minutes: { name: 'After 30 minutes', description: 'When the service has worked for 30 minutes.' },
  },
  artifact_types: {
    content: { name: 'Content', description: 'The page as the station received it.' },
    har: { name: 'HAR', description: 'The requests of the browser as an HTTP Archive.' },
    screenshot: { name: 'Screenshot', description: 'What the browser showed when the check failed.' },
  },
  report_attachment_types: {
    json: { name: 'Data', description: 'The numbers of the report as JSON.' },
    pdf: { name: 'Document', description: 'The report as a PDF document.' },
  },
  metric_types: {
    response_time: { name: 'Response time', description: 'Milliseconds of the whole check.' },
    dns: { name: 'DNS', description: 'Milliseconds of turning the name into an address.' },
    connect: { name: 'Connection', description: 'Milliseconds of making the connection.' },
    tls: { name: 'TLS', description: 'Milliseconds of agreeing on encryption.' },
    sent: { name: 'Sending', description: 'Milliseconds of sending the request.' },
    first_byte: { name: 'Waiting', description: 'Milliseconds of waiting for the first byte of the answer.' },
    transfer: { name: 'Transfer', description: 'Milliseconds from the first to the last byte of the answer.' },
    data_size: { name: 'Size', description: 'Bytes of the answer.' },
  },
  error_type_categories: {
    name: { name: 'Name', description: 'The name could not be turned into an address.' },
    address: { name: 'Address', description: 'This address cannot be connected to.' },
    connect: { name: 'Connection', description: 'No connection could be made.' },
    tls: { name: 'TLS', description: 'No encrypted connection could be agreed on.' },
    certificate: {
      name: 'Certificate',
      description: 'The certificate of the server is not valid or will expire soon.',
    },
    http: { name: 'HTTP', description: 'The HTTP response is broken, incomplete, or has an unexpected status.' },
    content: { name: 'Content', description: 'The response does not hold what is expected, or came too late.' },
    dns: { name: 'DNS', description: 'The DNS server did not answer as it should.' },
    ping: { name: 'Ping', description: 'The host does not answer to ping.' },
    smtp: { name: 'SMTP', description: 'The mail server did not answer as it should.' },
    protocol: { name: 'Protocol', description: 'The server of another protocol did not answer as it should.' },
    page: { name: 'Page', description: 'The page did not load in the browser as it should.' },
    heartbeat: { name: 'Heartbeat', description: 'The service did not report in, or reported a failure.' },
    domain: {
      name: 'Domain',
      description: 'The registration of the domain has ended, or differs from what was expected.',
    },
    sensor: { name: 'Station', description: 'The station itself could not check; that says nothing of the target.' },
  },
  service_type_categories: {
    default: { name: 'Default', description: 'Checks that every station can make.' },
    ipv6: { name: 'IPv6', description: 'Checks over IPv6 only.' },
    mobile: { name: 'Mobile', description: 'Pages in an emulated phone.' },
    webappcheck: { name: 'Scenarios', description: 'Scenarios in a browser, step by step.' },
  },
}
