import type { ReportTexts } from '../catalogue.ts'

export const reports: ReportTexts = {
  failures: {
    failed:
      'The report could not be made because of a fault of the program. The fault is on record; create the report again.',
    interrupted:
      'The making of the report was interrupted too many times. Create the report again, for a shorter time or fewer services.',
    tooLarge:
      'The report covers more than {most} services, groups and accounts. Create reports of single groups instead.',
  },
  mail: {
    subject: 'Report: {name}, {from} – {to}',
    text: `Hello,

attached is the report “{name}” for the time from {from} to {to} (time zone {zone}).

This message was sent automatically to an address of the report template.`,
  },
  labels: {
    report: 'Report',
    page: 'Page',
    contents: 'Contents',
    rules: 'Rules',
    owner: 'Account',
    zone: 'Time zone',
    created: 'Created',
    sections: 'Sections',
    summary: 'Summary',
    overview: 'All services',
    state: 'State at the end',
    responseTime: 'Response time',
    course: 'States over time',
    raised: 'Short failures are drawn larger than they were: at least {share}% of the height of the picture.',
    checks: 'Checks',
    byHour: 'Response time by hour of the day (ms)',
    byWeekDay: 'Response time by day of the week (ms)',
    failures: 'Failures',
    noFailures: 'There were no failures in this period.',
    someFailures: 'Named are the longest {shown} of {count}.',
    ok: 'Working',
    failure: 'Failure',
    paused: 'Not monitored',
    unknown: 'no data',
    availability: 'Availability',
    failuresCount: 'Failures',
    longestFailure: 'Longest failure',
    corrections: 'Corrections',
    began: 'Began',
    ended: 'Ended',
    lasted: 'Time that counts',
    okChecks: 'Correct',
    errorChecks: 'Wrong',
    unknownChecks: 'Unknown',
  },
  kinds: { summary: 'Everything', account: 'Account', group: 'Group', service: 'Service' },
  weekDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  rules: {
    time: {
      label: 'Period',
      text: 'From {from} to {to}, the end excluded. Time before a service was added and after the report was created does not count.',
    },
    zone: { label: 'Time zone', text: 'All moments, hours and days are those of the zone {zone}.' },
    availability: {
      label: 'Availability',
      text: 'Working time divided by the sum of working and failing time, rounded down to three decimals. Time without monitoring does not count.',
    },
    failures: {
      label: 'Failures',
      text: 'A failure counts once, also when it goes beyond the period of the report; its time is the seconds that count in the report.',
    },
    corrections: {
      label: 'Corrections',
      text: 'Corrections applied: {count}. They change states over time, not results of checks.',
    },
    noCorrections: { label: 'Corrections', text: 'No correction concerns this period.' },
    leftOut: { label: 'Exclusions', text: 'Left out of every week: {ranges}.' },
    nothingLeftOut: { label: 'Exclusions', text: 'Nothing was left out.' },
    archived: { label: 'Archive', text: 'Archived services are included.' },
    noArchived: { label: 'Archive', text: 'Archived services are not included.' },
    nothing: {
      label: 'Scope',
      text: 'The scope of the template (requested_scope) selects nothing, so there is nothing to report.',
    },
    performance: {
      label: 'Response time',
      text: 'The average of the correct checks of all stations, in milliseconds, by the moment when the round ended.',
    },
  },
}
