/**
 * The catalogue of error symbols: HTTP status and the last four digits of the code (specification: Errors; answers §2).
 * A published number never changes and is never given to another symbol.
 */
const numbers = {
  incorrect_json: [400, 1],
  malformed_request: [400, 2],
  missing_credentials: [401, 1],
  incorrect_credentials: [401, 2],
  session_expired: [401, 3],
  second_factor_required: [401, 4],
  invalid_token: [401, 5],
  forbidden: [403, 1],
  account_not_activated: [403, 2],
  account_blocked: [403, 3],
  ip_address_not_allowed: [403, 4],
  cross_site_request: [403, 5],
  insufficient_scope: [403, 6],
  not_for_api_keys: [403, 7],
  api_key_is_narrowed: [403, 8],
  second_factor_setup_required: [403, 9],
  not_found: [404, 1],
  method_not_allowed: [405, 1],
  object_changed: [412, 1],
  payload_too_large: [413, 1],
  unsupported_media_type: [415, 1],
  range_not_satisfiable: [416, 1],
  incorrect_value: [422, 2064],
  incorrect_type: [422, 555],
  missing_value: [422, 1],
  unknown_field: [422, 2],
  value_too_long: [422, 3],
  value_too_short: [422, 4],
  // 4220005 was value_out_of_range, which is incorrect_value now (specification: Errors).
  value_is_not_unique: [422, 6],
  field_is_immutable: [422, 7],
  field_is_read_only: [422, 8],
  limit_exceeded: [422, 9],
  interval_too_short: [422, 10],
  force_limit_exceeded: [422, 11],
  service_is_archived: [422, 12],
  report_in_progress: [422, 13],
  default_group_cannot_be_deleted: [422, 14],
  sensor_not_available: [422, 15],
  channel_not_available: [422, 16],
  service_type_not_available: [422, 17],
  second_factor_is_on: [422, 40],
  second_factor_is_off: [422, 41],
  too_many_settings: [422, 42],
  diagnostic_limit_exceeded: [422, 50],
  test_sms_limit_exceeded: [422, 51],
  confirmation_code_limit_exceeded: [422, 52],
  service_is_not_archived: [422, 30],
  no_sms_address: [422, 31],
  address_is_confirmed: [422, 32],
  address_is_not_confirmed: [422, 33],
  status_change_is_not_failure: [422, 34],
  delivery_cannot_be_repeated: [422, 45],
  channel_signs_nothing: [422, 46],
  object_is_in_use: [422, 60],
  too_many_requests: [429, 1],
  processing_time_used_up: [429, 2],
  too_many_streams: [429, 3],
  internal_error: [500, 1],
  service_unavailable: [503, 1],
} as const satisfies Record<string, readonly [status: number, number: number]>

export type ProblemSymbol = keyof typeof numbers

/** The number of a problem on the wire (specification: Errors). */
export interface ProblemCode {
  /** HTTP status of a response that carries this problem alone. */
  readonly status: number
  /** Seven digits: the status and four of its own. */
  readonly code: number
}

export const problemSymbols = Object.keys(numbers) as readonly ProblemSymbol[]

export function isProblemSymbol(symbol: string): symbol is ProblemSymbol {
  return Object.hasOwn(numbers, symbol)
}

/** `not_found` → 404 and its seven digits. */
export function problemCode(symbol: ProblemSymbol): ProblemCode {
  const [status, number] = numbers[symbol]
  return { status, code: status * 10_000 + number }
}

/** The values of `facts.detail` of an incorrect_value. Each has its own sentence, which says what is expected. */
export const problemDetails = [
  'web_address',
  'escaped_bytes',
  'no_channel_detected',
  'address_of_settings',
  'accepted_statuses',
  'request_headers',
  'domain_name',
  'scenario',
  'scenario_custom_step',
  'scenario_key',
  'scenario_secret',
  'scenario_url',
  'secrets',
  'regular_expression',
  'regular_expression_size',
  'forbidden_characters',
  'one_line',
  'address_protocol',
  'address_characters',
  'address_host',
  'address_port',
  'address_port_missing',
  'address_ipv4_only',
  'address_host_only',
  'address_unwanted',
  'cron',
  'time_zone',
  'ping_slug',
  'whitelist_without_caller',
  'end_after_start',
  'group',
  'moment',
  'group_of_owner',
  'owner_of_group',
  'archived_by_action',
  'weekly_range',
  'share_target',
  'service',
  'report_template',
  'report_scope',
  'owner',
  'package',
  'email_address',
  'username',
  'hours_of_day',
  'hours_of_week',
  'address_range',
  'redirect_uri',
  'client_id',
  'current_password',
  'code',
  'confirmation_code',
  'confirmed_mailbox',
  'link',
  'title',
  'nothing_to_embed',
  'start_before_end',
  'range_too_long',
  'kept_secret',
  'assertion_path',
  'assertion_value',
  'json_path',
  'xpath',
  'header_name',
  'ip_address',
  'certificate_pem',
  'key_pem',
  'key_of_certificate',
  'key_passphrase',
  'one_login',
  'color',
  'object_of_owner',
  'scope_of_maker',
  'scope_of_administrators',
  'moment_to_come',
  'expiry_of_maker',
  'tag_of_key',
  'account_of_owner',
  'escalation_of_owner',
  'dependency_cycle',
  'step_without_target',
  'day_of_shift',
  'time_of_day',
  'date',
  'one_selection',
  'nothing_selected',
  'past_notification',
  'channel_with_settings',
  'untold_condition',
  'template_of_channel',
  'slug',
  'page_host',
  'page_password',
  'component_source',
  'component_parent',
  'component_of_page',
  'subscriber_browser',
  'incident_status',
  'logo_picture',
  'logo_size',
  'logo_of_owner',
] as const

export type ProblemDetail = (typeof problemDetails)[number]

export function isProblemDetail(value: unknown): value is ProblemDetail {
  return problemDetails.some((detail) => detail === value)
}
