/**
 * All our own metrics. A test compares docs/operations.md and the alerts in deploy/ with this table. Labels have few
 * values, all known from the code or the installation, and none identifies a customer.
 */

export interface MetricDefinition<Label extends string = string> {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly Label[]
  readonly meaning: string
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
}

function counter<Label extends string = never>(meaning: string, labels: readonly Label[] = []) {
  return { type: 'counter', labels, meaning } as const
}

function gauge<Label extends string = never>(meaning: string, labels: readonly Label[] = []) {
  return { type: 'gauge', labels, meaning } as const
}

function histogram<Label extends string = never>(
  meaning: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
) {
  return { type: 'histogram', labels, meaning, buckets } as const
}

const momentSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const longSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]

export const metricCatalogue = {
  latarnik_build_info: gauge('Always 1; its labels name the running version and roles.', [
    'version',
    'node_version',
    'roles',
  ]),
  latarnik_round_lateness_seconds: histogram(
    'Delay from a round’s due moment to its start, when jobs go to its stations; by `interval`, `confirmation` or `forced`.',
    momentSeconds,
    ['reason'],
  ),
  latarnik_check_lateness_seconds: histogram(
    'Delay from a round’s due moment to the start of a check at its station; it adds the way there and the station’s own queue to the metric above.',
    momentSeconds,
    ['reason'],
  ),
  latarnik_rounds_missed_total: counter('Rounds that were skipped because their moment had passed.'),
  latarnik_rounds_in_line: gauge('Rounds claimed for the next second.'),
  latarnik_rounds_under_way: gauge('Rounds that wait for their stations.'),
  latarnik_rounds_to_record: gauge(
    'Finished rounds that wait for the database. Above 10,000 no more are claimed; above 20,000 the oldest are lost.',
  ),
  latarnik_rounds_overdue: gauge('Services due for more than two seconds that no process has claimed.'),
  latarnik_analyses_total: counter('Recorded analyses by `ok`, `failure` or `none` (no verdict).', ['verdict']),
  latarnik_rounds_without_verdict_total: counter(
    'Recorded analyses without a verdict, by the most frequent reason of their sensors (`browser_busy`, `sensor_lost`, …).',
    ['reason'],
  ),
  latarnik_checks_total: counter('Recorded checks by type of service and `ok`, `error` or `unknown`.', [
    'type',
    'result',
  ]),
  latarnik_flush_seconds: histogram('Time of a transaction that records rounds.', momentSeconds),
  latarnik_flush_analyses: histogram('Analyses recorded in one transaction.', [1, 5, 25, 100, 250, 500, 1000]),
  latarnik_flushes_failed_total: counter('Failed transactions; their rounds are recorded again.'),
  latarnik_evidence_missing_total: counter(
    'Missing evidence of failed checks, by artifact and reason: `too_large`, `not_stored`, `not_taken` (the browser did not deliver it) or `timed_out` (the page did not deliver it).',
    ['artifact', 'reason'],
  ),
  latarnik_deliveries_total: counter(
    'Delivery attempts, by `notification`, `letter` (account mail), `report`, `periodic_report`, `subscriber_mail` or `subscriber_hook` (status pages), and by outcome: `sent`, `unconfirmed` (perhaps sent), `retried` (later), `failed` (for good), `unneeded` (a confirmation code that was replaced before it was sent) or `lost` (the claim ran out).',
    ['kind', 'channel', 'outcome'],
  ),
  latarnik_delivery_seconds: histogram('Time of one attempt, mostly the gateway’s.', longSeconds, ['kind', 'channel']),
  latarnik_delivery_delay_seconds: histogram('Delay from the cause to the sent message.', longSeconds, [
    'kind',
    'channel',
  ]),
  latarnik_deliveries_waiting: gauge(
    'Waiting messages: `due` now, or `later` (being delivered, waiting for a retry, or behind such a message).',
    ['kind', 'state'],
  ),
  latarnik_deliveries_oldest_due_seconds: gauge('How long the oldest due message has been due.', ['kind']),
  latarnik_sms_kept_back: gauge(
    'SMS of all accounts that failed today (UTC) because `SMS_DAILY` was reached; missing without `SMS_DAILY`.',
  ),
  latarnik_reports_waiting: gauge('Reports that are `pending` or `in_progress`.', ['state']),
  latarnik_report_phase_seconds: histogram(
    'Time of one phase of a report that was `done`, `failed` or `given_back`.',
    longSeconds,
    ['phase', 'outcome'],
  ),
  latarnik_api_request_seconds: histogram('Time to answer, by operation and class of status (`2xx`).', requestSeconds, [
    'method',
    'route',
    'status',
  ]),
  latarnik_database_up: gauge('1 while this process reaches the database; at 0 the metrics read from it are missing.'),
  latarnik_database_full: gauge(
    '1 while statements of this process fail because the disk of the database is full (within 15 s).',
  ),
  latarnik_database_connections: gauge('Connections of this process: `in_use` or `idle`.', ['pool', 'state']),
  latarnik_database_waiting: gauge('Statements of this process that wait for a connection.', ['pool']),
  latarnik_database_size_bytes: gauge('Size of the database on its disk; read once a minute.'),
  latarnik_days_unpacked: gauge(
    'Days of the history that ended more than 48 hours ago and are not packed; above 0 packing fails, or no process has the role monitoring.',
  ),
  latarnik_sensor_available: gauge('1 while a sensor reports in to some process.', ['sensor_id', 'sensor']),
  latarnik_sensor_last_seen_timestamp_seconds: gauge('Last report of a sensor, in Unix seconds.', [
    'sensor_id',
    'sensor',
  ]),
  latarnik_exchange_messages_total: counter(
    'Messages between processes by `nats` or `database` and `sent` or `received`.',
    ['carrier', 'direction'],
  ),
  latarnik_exchange_messages_refused_total: counter(
    'Refused messages that no process of this core has just sent: `not_ours`, `repeated` or `outdated`.',
    ['carrier', 'reason'],
  ),
  latarnik_exchange_acknowledgement_seconds: histogram(
    'Time from sending a frame to another process to its acknowledgement, which may wait 50 ms for others.',
    momentSeconds,
    ['carrier'],
  ),
  latarnik_exchange_frames_sent_again_total: counter('Frames that no process acknowledged in time.'),
  latarnik_exchange_up: gauge('1 while this carrier accepts messages of this process.', ['carrier']),
  latarnik_exchange_outages_total: counter('How often a working carrier stopped working.', ['carrier']),
  latarnik_config_directory_up: gauge(
    '1 while the account is as the files of `CONFIG_DIR` want it, at the process that applies them.',
  ),
  latarnik_config_directory_runs_total: counter(
    'Runs over the files of `CONFIG_DIR`: `applied`, `incomplete`, `refused`, `unreadable` or `failed`.',
    ['result'],
  ),
  latarnik_config_directory_last_timestamp_seconds: gauge(
    'The last run over `CONFIG_DIR` that was a `success` or a `failure`, in Unix seconds.',
    ['outcome'],
  ),
  latarnik_event_streams: gauge('Listeners of the event stream at this process.'),
  latarnik_far_stations_connected: gauge('Remote stations that are connected to this process.'),
  latarnik_probing_cpu_seconds_total: counter('CPU time of the probing processes: `plain` or `pages`.', ['process']),
  latarnik_probing_resident_memory_bytes: gauge('Memory of those processes, without the browser’s.', ['process']),
  latarnik_browser_places: gauge('Places for pages that are `taken` or `free`.', ['state']),
  latarnik_browser_waiting: gauge('Checks that wait for a place.'),
  latarnik_browser_busy_total: counter('Page checks that found no free browser in time: their results are unknown.'),
  latarnik_patterns_unsearched_total: counter(
    'Checks with an unknown result because their pattern was not searched: `late` (the station had too little time) or `budget` (their account had used its time).',
    ['reason'],
  ),
  latarnik_core_connected: gauge('On a remote station: 1 while it is connected to its core.'),
  latarnik_kept_results: gauge('On a remote station: results that the core has not acknowledged.'),
} as const satisfies Readonly<Record<string, MetricDefinition>>

export type MetricName = keyof typeof metricCatalogue
