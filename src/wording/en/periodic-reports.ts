import type { PeriodicReportTexts } from '../catalogue.ts'

export const periodicReports: PeriodicReportTexts = {
  titles: { daily: 'Daily report', weekly: 'Weekly report', monthly: 'Monthly report' },
  subject: '{title}: {group}, {period}',
  noFailures: 'no failures',
  notMonitored: 'not monitored',
  archived: 'archived',
  failures: { one: 'failure', other: 'failures' },
  services: { one: 'service', other: 'services' },
  unnamed: 'And another {services}, no less available than those above.',
  labels: {
    service: 'Service',
    availability: 'Availability',
    failures: 'Failures',
    failing: 'Failing',
    longest: 'Longest failure',
    longestOnly: 'the longest {shown} of {count}',
  },
  rules:
    'All moments are those of the time zone {zone}. Corrections are applied. Time without monitoring does not count towards availability, which is rounded down.',
  why: 'You receive this message because your address is among the report addresses of the group “{group}”.',
}
