import type { ProblemTexts } from '../catalogue.ts'

export const problems: ProblemTexts = {
  users: {
    incorrect_json: [
      'The body of the request stops being JSON in line {line}, column {column}.',
      'The body of the request is not correct JSON in UTF-8, nested at most {depth} deep.',
      'The body of the request is not correct JSON.',
    ],
    malformed_request: ['The request is not correct HTTP.'],
    missing_credentials: ['Log in to use this: with username and password, or with the token of a session.'],
    incorrect_credentials: ['The username or the password is not correct.'],
    session_expired: ['The session has ended. Log in again.'],
    second_factor_required: ['Confirm the login with a code of the second factor first.'],
    forbidden: ['You are not allowed to do this.'],
    account_not_activated: ['The account is not active yet. Follow the link in the activation e-mail.'],
    account_blocked: ['The account is blocked. Contact the administrator.'],
    ip_address_not_allowed: [
      'Your address {address} is not on the list of addresses from which this account may be used.',
      'Your address is not on the list of addresses from which this account may be used.',
    ],
    cross_site_request: ['A page of another site sent the request, with the password that the browser remembers.'],
    not_found: [
      'There is nothing at {path}. What there is: {documentation}.',
      'There is no such thing, or you cannot see it.',
    ],
    method_not_allowed: [
      'The method {method} is not available here. Available: {allowed}.',
      'This method is not available here.',
    ],
    payload_too_large: [
      'The body of the request is larger than {maximum} bytes.',
      'The body of the request is too large.',
    ],
    unsupported_media_type: ['The body of the request must be JSON (Content-Type: application/json).'],
    range_not_satisfiable: ['There are no such bytes: the content has {size}.', 'There are no such bytes.'],
    incorrect_value: [
      'There is no parameter {parameter} here. There are: {parameters}.',
      'This value is not allowed. Allowed: {allowed}.',
      'This value is not allowed.',
    ],
    incorrect_type: ['The value has a wrong type: expected {expected}.', 'The value has a wrong type.'],
    missing_value: ['A value is required.'],
    unknown_field: ['There is no field {name} here. There are: {known}.', 'There is no such field.'],
    value_too_long: ['The value is too long: at most {maximum} characters or elements.', 'The value is too long.'],
    value_too_short: ['The value is too short: at least {minimum} characters.', 'The value is too short.'],
    value_out_of_range: [
      'The value must be between {minimum} and {maximum}.',
      'The value must be at least {minimum}.',
      'The value must be at most {maximum}.',
      'The value is out of range.',
    ],
    value_is_not_unique: ['This value is already taken.'],
    field_is_immutable: ['This field cannot be changed.'],
    field_is_read_only: ['This field is set by the service; it cannot be sent.'],
    limit_exceeded: ['The limit {limit} is reached: {value}.', 'The limit {limit} is reached.', 'A limit is reached.'],
    interval_too_short: [
      'The interval is too short: at least {minimum} seconds.',
      'The interval is shorter than the package allows.',
    ],
    force_limit_exceeded: [
      'Too many forced analyses of this service: at most {value} in {period}.',
      'Too many forced analyses of this service. Try again later.',
    ],
    service_is_archived: ['The service is archived: only its history can be read. Restore it first.'],
    service_is_not_archived: ['The service is not archived.'],
    no_sms_address: ['There is no phone number here that an SMS could be sent to.'],
    report_in_progress: ['The report is being made. Wait until it is finished.'],
    default_group_cannot_be_deleted: ['The default group cannot be deleted.'],
    sensor_not_available: [
      'The sensor {sensor_id} does not exist or cannot serve this.',
      'The sensor does not exist or cannot serve this.',
    ],
    channel_not_available: [
      'The notification channel {channel_id} is not in the package.',
      'The notification channel is not in the package.',
    ],
    service_type_not_available: [
      'The service type {service_type_id} is not in the package or is fully used.',
      'The service type is not in the package or is fully used.',
    ],
    second_factor_is_on: ['The second factor is on already.'],
    second_factor_is_off: ['The second factor is not set up.'],
    test_sms_limit_exceeded: ['Too many test messages: at most {value} in {period}.', 'Too many test messages.'],
    diagnostic_limit_exceeded: [
      'Too many diagnostics, at most {value} in {period}.',
      'Too many diagnostics at a time, at most {value}. Wait for one to end.',
      'Too many diagnostics. Try again later.',
    ],
    too_many_settings: ['There are too many settings: at most {maximum}.', 'There are too many settings.'],
    too_many_requests: ['Too many requests. Try again in {retry_after} s.', 'Too many requests. Try again later.'],
    internal_error: [
      'Something went wrong on our side. Number of the request: {request_id}.',
      'Something went wrong on our side.',
    ],
    service_unavailable: [
      'The service is not available for a moment. Try again in {retry_after} s.',
      'The service is not available for a moment. Try again soon.',
    ],
  },
  details: {
    accepted_statuses: 'Expected HTTP status codes and ranges separated by commas, for example 200-299,304.',
    request_headers: 'Expected lines “Name: value”; Content-Length and Transfer-Encoding are set by the check itself.',
    domain_name: 'Expected a domain name, for example www.example.com.',
    scenario: 'Expected a recording in the JSON format of the browser’s Recorder, with at least one step.',
    scenario_custom_step:
      'A step of an extension cannot be replayed here. Replace it with steps of the Recorder itself.',
    scenario_key: 'Expected a single character or the name of a key, for example Enter, Tab, ArrowDown, KeyA.',
    scenario_secret: 'It refers to a secret that is not among the secrets of the service.',
    scenario_url: 'Expected an http or https address, or one relative to the address of the service.',
    secrets: 'Expected lines “name=value” with a different name each; names consist of letters, digits and _.',
    regular_expression_size: 'Expected a smaller regular expression: its repetitions, such as {1000}, multiply it.',
    regular_expression: 'Expected a regular expression in RE2 syntax (no back references, no look-around).',
    forbidden_characters: 'It contains characters that are not allowed here.',
    address_protocol:
      'The address has another protocol than the type of the service: leave the protocol out, or choose another type.',
    address_characters: 'An address cannot contain spaces, backslashes or control characters.',
    address_host:
      'Expected a host name or an IP address (IPv6 in brackets), for example www.example.com or [2001:db8::1].',
    address_port: 'A port is a number from 1 to 65535.',
    address_port_missing: 'Expected a host and a port, for example example.com:22 or [2001:db8::1]:22.',
    address_ipv4_only: 'This is an IPv4 address, and services of this type are checked over IPv6 only.',
    address_host_only: 'Expected a host name or an IP address alone, without a port or a path.',
    whitelist_without_caller: 'The address that you are calling from is not among them: you would lock yourself out.',
    kept_secret:
      'It was entered for another address or scenario, and nobody is shown it: enter it again, or null to do without.',
    group: 'There is no such group, or you cannot see it.',
    group_of_owner: 'What is in a group can only be moved to another group of the same owner.',
    moment:
      'Expected a moment with its offset, such as 2026-11-21T12:13:00+01:00, Unix seconds, or negative seconds before now.',
    end_after_start: 'The end must be later than the start.',
    weekly_range: 'The end of a weekly range cannot be its start.',
  },
}
